// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

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
  list.add(std::make_unique<SummaryView>());
  list.add(std::make_unique<BoundsView>());
  list.add(std::make_unique<OccupancyView>());
  list.add(std::make_unique<ModelsView>());
  list.add(std::make_unique<ProfileView>());
  list.add(std::make_unique<NsightView>());
  list.add(std::make_unique<ExecutionView>());
  list.add(std::make_unique<AssumptionsView>());
  list.add(std::make_unique<SourceView>());
  list.add(std::make_unique<ListingView>());
  list.add(std::make_unique<PathView>());
  list.add(std::make_unique<StallsView>());
  list.add(std::make_unique<TimelineView>());
  list.add(std::make_unique<CounterfactualsView>());
  list.add(std::make_unique<ProvenanceView>());
  list.add(std::make_unique<WcetView>());
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
