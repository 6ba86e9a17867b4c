// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/points/formula.h"

#include <cmath>
#include <dlfcn.h>
#include <muParserDLL.h>
#include <utility>

namespace forewarp::measured {
namespace {

constexpr const char* library_name = "libmuparser.so.2";
constexpr std::size_t most_letters = 1500;  // it writes messages, which quote them, to 2048 bytes
/// With the dot of a structure's field.
constexpr const char* name_letters =
    "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.";

/// The functions of muParser that formulas call.
struct MuParser {
  decltype(&mupCreate) create = nullptr;
  decltype(&mupRelease) release = nullptr;
  decltype(&mupDefineNameChars) define_name_chars = nullptr;
  decltype(&mupDefineVar) define_variable = nullptr;
  decltype(&mupDefineFun1) define_function = nullptr;
  decltype(&mupDefineFun2) define_function_of_two = nullptr;
  decltype(&mupSetExpr) set_expression = nullptr;
  decltype(&mupEval) evaluate = nullptr;
  decltype(&mupError) failed = nullptr;
  decltype(&mupErrorReset) forget_failure = nullptr;
  decltype(&mupGetErrorMsg) message = nullptr;
};

MuParser load() {
  void* const library = ::dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return {};
  MuParser mu;
  bool whole = true;
  const auto find = [&]<class Function>(const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));  // NOLINT: dlsym
    whole = whole && function != nullptr;
  };
  find("mupCreate", mu.create);
  find("mupRelease", mu.release);
  find("mupDefineNameChars", mu.define_name_chars);
  find("mupDefineVar", mu.define_variable);
  find("mupDefineFun1", mu.define_function);
  find("mupDefineFun2", mu.define_function_of_two);
  find("mupSetExpr", mu.set_expression);
  find("mupEval", mu.evaluate);
  find("mupError", mu.failed);
  find("mupErrorReset", mu.forget_failure);
  find("mupGetErrorMsg", mu.message);
  return whole ? mu : MuParser{};
}

const MuParser& mu_parser() {
  static const MuParser mu = load();
  return mu;
}

std::string one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

double floor_of_quotient(double a, double b) {
  return std::floor(a / b);
}

/// Python's %: takes the sign of the divisor.
double modulo(double a, double b) {
  return a - b * std::floor(a / b);
}

/// What expressions need and muParser lacks.
void define_functions(const MuParser& mu, void* parser) {
  constexpr muBool_t constant = 1;  // of constants it is one
  mu.define_function(parser, "floor", std::floor, constant);
  mu.define_function(parser, "ceil", std::ceil, constant);
  mu.define_function(parser, "trunc", std::trunc, constant);
  mu.define_function(parser, "nearest", std::nearbyint, constant);  // half to even
  mu.define_function_of_two(parser, "floordiv", floor_of_quotient, constant);
  mu.define_function_of_two(parser, "modulo", modulo, constant);
}

}  // namespace

Expected<std::unique_ptr<Formula>> Formula::compile(
    const std::string& expression, std::map<std::string, double, std::less<>>& numbers) {
  if (expression.size() > most_letters) {
    return Diagnostic{"", "an expression of " + std::to_string(expression.size()) + " characters",
                      "at most " + std::to_string(most_letters), ""};
  }
  const MuParser& mu = mu_parser();
  if (mu.create == nullptr) {
    return Diagnostic{
        "",
        "'" + expression + "': expressions are computed by muParser, which is not on this machine",
        library_name, "apt-get install libmuparser2v5"};
  }
  void* const parser = mu.create(muBASETYPE_FLOAT);
  std::unique_ptr<Formula> formula(new Formula(parser, expression));
  mu.define_name_chars(parser, name_letters);
  define_functions(mu, parser);
  for (auto& [name, value] : numbers) mu.define_variable(parser, name.c_str(), &value);
  mu.forget_failure(parser);  // of names that it refuses: such columns serve texts only
  mu.set_expression(parser, expression.c_str());
  if (auto ok = formula->failure("an expression over numeric columns"); !ok)
    return std::move(ok).error();
  mu.evaluate(parser);  // compiles it
  if (auto ok = formula->failure("an expression over numeric columns"); !ok)
    return std::move(ok).error();
  return formula;
}

Formula::Formula(void* parser, std::string expression)
    : parser_(parser), expression_(std::move(expression)) {}

Formula::~Formula() {
  mu_parser().release(parser_);
}

Expected<double> Formula::value() {
  const double result = mu_parser().evaluate(parser_);
  if (auto ok = failure(""); !ok) return std::move(ok).error();
  return result;
}

Expected<void> Formula::failure(std::string expected) const {
  const MuParser& mu = mu_parser();
  if (mu.failed(parser_) == 0) return {};
  Diagnostic fault{"", "'" + expression_ + "': " + one_line(mu.message(parser_)),
                   std::move(expected), ""};
  mu.forget_failure(parser_);
  return fault;
}

}  // namespace forewarp::measured
