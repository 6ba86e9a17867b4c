// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// As much of the interfaces of cuBLAS, cuFFT and cuRAND as the programs here call.
extern "C" {
int cublasCreate_v2(void** out);
int cublasDestroy_v2(void* handle);
int cublasSetStream_v2(void* handle, void* stream);
int cublasSetPointerMode_v2(void* handle, int mode);
int cublasSetMathMode(void* handle, int mode);
int cublasSetMatrix(int rows, int columns, int bytes, const void* from, int from_rows, void* to,
                    int to_rows);
int cublasGetMatrix(int rows, int columns, int bytes, const void* from, int from_rows, void* to,
                    int to_rows);
int cublasSgemm_v2(void* handle, int op_a, int op_b, int m, int n, int k, const float* alpha,
                   const float* a, int lda, const float* b, int ldb, const float* beta, float* c,
                   int ldc);
int cublasDgemmStridedBatched(void* handle, int op_a, int op_b, int m, int n, int k,
                              const double* alpha, const double* a, int lda, long long stride_a,
                              const double* b, int ldb, long long stride_b, const double* beta,
                              double* c, int ldc, long long stride_c, int batch);
int cublasGemmEx(void* handle, int op_a, int op_b, int m, int n, int k, const void* alpha,
                 const void* a, int type_a, int lda, const void* b, int type_b, int ldb,
                 const void* beta, void* c, int type_c, int ldc, int compute, int algorithm);
int cublasDaxpy_v2(void* handle, int n, const double* alpha, const double* x, int x_step, double* y,
                   int y_step);
int cublasDdot_v2(void* handle, int n, const double* x, int x_step, const double* y, int y_step,
                  double* result);
int cublasDnrm2_v2(void* handle, int n, const double* x, int step, double* result);
int cublasIdamax_v2(void* handle, int n, const double* x, int step, int* result);
int cublasDgemv_v2(void* handle, int operation, int m, int n, const double* alpha, const double* a,
                   int lda, const double* x, int x_step, const double* beta, double* y, int y_step);
int cublasDger_v2(void* handle, int m, int n, const double* alpha, const double* x, int x_step,
                  const double* y, int y_step, double* a, int lda);
int cufftPlan1d(int* plan, int nx, int type, int batch);
int cufftPlan2d(int* plan, int nx, int ny, int type);
int cufftDestroy(int plan);
int cufftExecC2C(int plan, void* in, void* out, int sign);
int cufftExecD2Z(int plan, void* in, void* out);
int cufftExecZ2D(int plan, void* in, void* out);
int curandCreateGenerator(void** out, int kind);
int curandSetPseudoRandomGeneratorSeed(void* handle, unsigned long long seed);
int curandGenerateUniform(void* handle, float* out, std::size_t count);
int curandGenerateNormalDouble(void* handle, double* out, std::size_t count, double mean,
                               double deviation);
int cublasDsyrk_v2();
int cublasGetVersion_v2(void* handle, int* version);
int cublasSetVector(int n, int bytes, const void* from, int from_step, void* to, int to_step);
int cublasGetVector(int n, int bytes, const void* from, int from_step, void* to, int to_step);
int cublasDgemm_v2(void* handle, int op_a, int op_b, int m, int n, int k, const double* alpha,
                   const double* a, int lda, const double* b, int ldb, const double* beta,
                   double* c, int ldc);
int cublasCgemm_v2(void* handle, int op_a, int op_b, int m, int n, int k, const void* alpha,
                   const void* a, int lda, const void* b, int ldb, const void* beta, void* c,
                   int ldc);
int cublasDgemmBatched(void* handle, int op_a, int op_b, int m, int n, int k, const double* alpha,
                       const double* const* a, int lda, const double* const* b, int ldb,
                       const double* beta, double* const* c, int ldc, int batch);
int cublasSaxpy_v2(void* handle, int n, const float* alpha, const float* x, int x_step, float* y,
                   int y_step);
int cublasDscal_v2(void* handle, int n, const double* alpha, double* x, int step);
int cublasSscal_v2(void* handle, int n, const float* alpha, float* x, int step);
int cublasCsscal_v2(void* handle, int n, const float* alpha, void* x, int step);
int cublasDcopy_v2(void* handle, int n, const double* x, int x_step, double* y, int y_step);
int cublasScopy_v2(void* handle, int n, const float* x, int x_step, float* y, int y_step);
int cublasDswap_v2(void* handle, int n, double* x, int x_step, double* y, int y_step);
int cublasSswap_v2(void* handle, int n, float* x, int x_step, float* y, int y_step);
int cublasDasum_v2(void* handle, int n, const double* x, int step, double* result);
int cublasIdamin_v2(void* handle, int n, const double* x, int step, int* result);
int cublasIcamax_v2(void* handle, int n, const void* x, int step, int* result);
int cublasCdotc_v2(void* handle, int n, const void* x, int x_step, const void* y, int y_step,
                   void* result);
int cublasCdotu_v2(void* handle, int n, const void* x, int x_step, const void* y, int y_step,
                   void* result);
int cublasCgemv_v2(void* handle, int operation, int m, int n, const void* alpha, const void* a,
                   int lda, const void* x, int x_step, const void* beta, void* y, int y_step);
int cublasCgerc_v2(void* handle, int m, int n, const void* alpha, const void* x, int x_step,
                   const void* y, int y_step, void* a, int lda);
int cublasDgeam(void* handle, int op_a, int op_b, int m, int n, const double* alpha,
                const double* a, int lda, const double* beta, const double* b, int ldb, double* c,
                int ldc);
int cublasCgeam(void* handle, int op_a, int op_b, int m, int n, const void* alpha, const void* a,
                int lda, const void* beta, const void* b, int ldb, void* c, int ldc);
int cufftPlanMany(int* plan, int rank, int* n, int* in_embed, int in_stride, int in_distance,
                  int* out_embed, int out_stride, int out_distance, int type, int batch);
int cufftExecZ2Z(int plan, void* in, void* out, int sign);
int curandCreateGeneratorHost(void** out, int kind);
int curandSetGeneratorOffset(void* handle, unsigned long long offset);
int curandGenerateNormal(void* handle, float* out, std::size_t count, float mean, float deviation);
int curandGenerateLogNormalDouble(void* handle, double* out, std::size_t count, double mean,
                                  double deviation);
int curandGeneratePoisson(void* handle, unsigned* out, std::size_t count, double mean);
int curandGenerateLongLong(void* handle, unsigned long long* out, std::size_t count);
}
