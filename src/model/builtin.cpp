// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "model/gajger/gajger_model.h"
#include "model/hong_kim/hong_kim_model.h"
#include "model/model.h"
#include "model/volkov/volkov_model.h"

namespace forewarp {

const Registry<Model>& models() {
  static const Registry<Model> registry = [] {
    Registry<Model> list("model");
    (void)list.add(std::make_unique<VolkovModel>());
    (void)list.add(std::make_unique<GajgerModel>());
    (void)list.add(std::make_unique<HongKimModel>());
    return list;
  }();
  return registry;
}

}  // namespace forewarp
