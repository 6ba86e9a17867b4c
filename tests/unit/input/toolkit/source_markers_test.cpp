// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/source_markers.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

constexpr const char* listing =
    "\tcode for sm_80\n"
    "\t\tFunction : k\n"
    "        /*0000*/                   MOV R1, R2 ;  /* 0x000000000000794d */\n"
    "                                                 /* 0x000fea0003800000 */\n"
    "        /*0010*/                   MOV R2, R3 ;  /* 0x000000000000794d */\n"
    "        /*0020*/                   EXIT ;  /* 0x000000000000794d */\n";

std::string marked(const std::string& dump, const std::string& text = listing) {
  const std::string all = with_source_markers(text, dump, {"/home/k.cu", "/cuda"});
  std::string markers;  // each with the instruction behind it
  std::string open;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    const std::string line = all.substr(at, end - at);
    at = end + 1;
    if (line.find("//##") != std::string::npos) open = line.substr(line.find('"'));
    if (!open.empty() && line.find("/*00") != std::string::npos) {
      markers += line.substr(line.find("/*"), 8) + ' ' + open + '|';
      open.clear();
    }
  }
  return markers;
}

TEST(SourceMarkers, StandWhereTheLineChanges) {
  EXPECT_EQ(marked(".text.k:\n"
                   "\t//## File \"/home/k.cu\", line 4\n"
                   "        /*0000*/  MOV R1, R2 ;\n"
                   "        /*0010*/  MOV R2, R3 ;\n"
                   "\t//## File \"/home/other.cuh\", line 7\n"
                   "        /*0020*/  EXIT ;\n"),
            "/*0000*/ \"<source>\", line 4|/*0020*/ \"/home/other.cuh\", line 7|");
}

TEST(SourceMarkers, OfInlinedCallsTheInnermostOutsideOfTheToolkitCounts) {
  EXPECT_EQ(
      marked(".text.k:\n"
             "\t//## File \"/cuda/include/mma.hpp\", line 91 inlined at \"/home/k.cu\", line 9\n"
             "\t//## File \"/home/k.cu\", line 9 inlined at \"/home/k.cu\", line 20\n"
             "\t//## File \"/home/k.cu\", line 20\n"
             "        /*0000*/  MOV R1, R2 ;\n"
             "\t//## File \"/cuda/include/mma.hpp\", line 5\n"
             "        /*0010*/  MOV R2, R3 ;\n"),
      "/*0000*/ \"<source>\", line 9|/*0010*/ \"/cuda/include/mma.hpp\", line 5|");
}

TEST(SourceMarkers, OtherFunctionsAndEmptyDumpsChangeNothing) {
  const std::string text = listing;
  EXPECT_EQ(with_source_markers(text, "", {"/home/k.cu", "/cuda"}), text);
  EXPECT_EQ(with_source_markers(
                text, ".text.j:\n\t//## File \"/home/k.cu\", line 4\n        /*0000*/  EXIT ;\n",
                {"/home/k.cu", "/cuda"}),
            text);
}

}  // namespace
}  // namespace forewarp::tests
