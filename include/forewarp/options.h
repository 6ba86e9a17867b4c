// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
/// @file
/// What may be asked of a prediction, and of which models: the tables behind Launch::set().
#pragma once

#include <forewarp/expected.h>
#include <forewarp/export.h>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::FOREWARP_INLINE api {

/// An option of a prediction. The same rows are in docs/options.md.
struct Option {
  std::string name;           ///< as Launch::set() takes it
  std::string key;            ///< in case and launch files; empty: none
  std::string kind;           ///< flag, text, sizes, natural, positive, list, repeated or pairs
  std::string unit;           ///< empty: none
  std::string values;         ///< which values it takes, in words
  std::string default_value;  ///< empty: there is none
  std::string help;           ///< one line
};

/// An option of a model: set("option", "MODEL.NAME=VALUE").
struct ModelOption {
  std::string name;           ///< behind the model's name
  std::string kind;           ///< number, flag, word
  std::string default_value;  ///< as text
  std::string sentence;       ///< what it does
};

/// A model: set("model", NAME).
struct Model {
  std::string name;                  ///< a word
  std::string sentence;              ///< what it is
  std::string reference;             ///< where it was published
  std::vector<ModelOption> options;  ///< of its own
};

/// All options that a launch may have, in the order of their page.
[[nodiscard]] FOREWARP_EXPORT std::vector<Option> options();
/// One option by its name or key, - and _ alike. Refused: a name that there is none of, with the
/// closest one; one that only the command line has a use for.
[[nodiscard]] FOREWARP_EXPORT Expected<Option> option(std::string_view name);
/// All models, in the order of their page.
[[nodiscard]] FOREWARP_EXPORT std::vector<Model> models();

}  // namespace forewarp::FOREWARP_INLINEapi
