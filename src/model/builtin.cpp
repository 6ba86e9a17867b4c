// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "model/agarwal/agarwal_model.h"
#include "model/baghsorkhi/baghsorkhi_model.h"
#include "model/bsp/bsp_model.h"
#include "model/chen_aamodt/chen_aamodt_model.h"
#include "model/counting/counting_model.h"
#include "model/cuda_guide/cuda_guide_model.h"
#include "model/gajger/gajger_model.h"
#include "model/gpumech/gpumech_model.h"
#include "model/gpuperf/gpuperf_model.h"
#include "model/hong_kim/hong_kim_model.h"
#include "model/kothapalli/kothapalli_model.h"
#include "model/model.h"
#include "model/mowry/mowry_model.h"
#include "model/mwp_cwp_probabilistic/probabilistic_model.h"
#include "model/roofline/roofline_model.h"
#include "model/saavedra_barrera/saavedra_barrera_model.h"
#include "model/sim/sim_model.h"
#include "model/volkov/volkov_model.h"
#include "model/volkov_mix/volkov_mix_model.h"
#include "model/voudouris/voudouris_model.h"
#include "model/zhang_owens/zhang_owens_model.h"

namespace forewarp::model {

const Registry<Model>& models() {
  static const Registry<Model> registry = [] {
    Registry<Model> list("model");
    list.add(std::make_unique<VolkovModel>());
    list.add(std::make_unique<GajgerModel>());
    list.add(std::make_unique<HongKimModel>());
    list.add(std::make_unique<VolkovBasicModel>());
    list.add(std::make_unique<VolkovRefinedModel>());
    list.add(std::make_unique<CudaGuideModel>());
    list.add(std::make_unique<AgarwalModel>());
    list.add(std::make_unique<SaavedraBarreraModel>());
    list.add(std::make_unique<MowryModel>());
    list.add(std::make_unique<ChenAamodtModel>());
    list.add(std::make_unique<KothapalliModel>());
    list.add(std::make_unique<BaghsorkhiModel>());
    list.add(std::make_unique<ZhangOwensModel>());
    list.add(std::make_unique<GpuMechModel>());
    list.add(std::make_unique<GpuPerfModel>());
    list.add(std::make_unique<ProbabilisticModel>());
    list.add(std::make_unique<RooflineModel>());
    list.add(std::make_unique<VoudourisModel>());
    list.add(std::make_unique<CountingModel>());
    list.add(std::make_unique<BspModel>());
    list.add(std::make_unique<SimModel>());
    return list;
  }();
  return registry;
}

}  // namespace forewarp::model
