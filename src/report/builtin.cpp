// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <memory>
#include <utility>

#include "report/sinks/text_sink.h"
#include "report/view.h"
#include "report/views/assumptions_view.h"
#include "report/views/bounds_view.h"
#include "report/views/code/listing_view.h"
#include "report/views/code/path_view.h"
#include "report/views/code/source_view.h"
#include "report/views/counterfactuals_view.h"
#include "report/views/execution_view.h"
#include "report/views/models_view.h"
#include "report/views/nsight_view.h"
#include "report/views/occupancy_view.h"
#include "report/views/profile_view.h"
#include "report/views/provenance_view.h"
#include "report/views/stalls_view.h"
#include "report/views/summary_view.h"
#include "report/views/timeline_view.h"
#include "report/views/wcet_view.h"

namespace forewarp::report {
namespace {

/// The list of views, in the order in which help names them.
Registry<View> make_views() {
  Registry<View> list("view");
  std::vector<std::unique_ptr<View>> all;
  all.push_back(std::make_unique<SummaryView>());
  all.push_back(std::make_unique<BoundsView>());
  all.push_back(std::make_unique<OccupancyView>());
  all.push_back(std::make_unique<ModelsView>());
  all.push_back(std::make_unique<ProfileView>());
  all.push_back(std::make_unique<NsightView>());
  all.push_back(std::make_unique<ExecutionView>());
  all.push_back(std::make_unique<AssumptionsView>());
  all.push_back(std::make_unique<SourceView>());
  all.push_back(std::make_unique<ListingView>());
  all.push_back(std::make_unique<PathView>());
  all.push_back(std::make_unique<StallsView>());
  all.push_back(std::make_unique<TimelineView>());
  all.push_back(std::make_unique<CounterfactualsView>());
  all.push_back(std::make_unique<ProvenanceView>());
  all.push_back(std::make_unique<WcetView>());
  for (std::unique_ptr<View>& view : all) {
    [[maybe_unused]] const Expected<void> added = list.add(std::move(view));
    assert(added && "two views have one name");
  }
  return list;
}

}  // namespace

const Registry<View>& views() {
  static const Registry<View> list = make_views();
  return list;
}

std::vector<std::string> View::lines(const Result& result, const TextStyle& style) const {
  return text_lines(content(result), style);
}

}  // namespace forewarp::report
