// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/toolkit_listing.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "input/binary/cubin_linking.h"
#include "input/binary/gpu_code.h"
#include "input/toolkit/compiler.h"
#include "input/toolkit/dependencies.h"
#include "input/toolkit/disassembler.h"
#include "input/toolkit/opencl_source.h"
#include "input/toolkit/source_markers.h"
#include "input/toolkit/source_signatures.h"
#include "input/toolkit/temporary_folder.h"

namespace forewarp::input {
namespace {

/// What a toolkit made of an input.
struct StoredListing {
  std::uint32_t sm = 0;  ///< the architecture of its code
  std::string toolkit;   ///< "CUDA 11.8 in /usr/bin"
  std::string text;
  std::string assumption;                     ///< what was chosen in making it; usually empty
  std::vector<Dependency> dependencies = {};  ///< what was read besides the input itself
};

/// Architecture, toolkit and assumption in a line each, then a line for each dependency, its
/// identity first, and an empty one; then the text.
std::string packed(const StoredListing& listing) {
  std::string body =
      std::to_string(listing.sm) + '\n' + listing.toolkit + '\n' + listing.assumption + '\n';
  for (const Dependency& one : listing.dependencies) {
    // A name with a line end would be read as two: such a listing never holds again.
    const bool plain = one.path.find('\n') == std::string::npos;
    body += (plain ? one.identity + ' ' + one.path : std::string("none /")) + '\n';
  }
  return body + '\n' + listing.text;
}

std::optional<StoredListing> unpacked(std::string_view body) {
  const auto take_line = [&body]() -> std::optional<std::string_view> {
    const std::size_t end = body.find('\n');
    if (end == std::string_view::npos) return {};
    const std::string_view line = body.substr(0, end);
    body.remove_prefix(end + 1);
    return line;
  };
  const auto sm_line = take_line(), toolkit = take_line(), assumption = take_line();
  const auto sm = assumption ? parse_integer(*sm_line) : std::nullopt;
  if (!sm) return {};
  StoredListing listing{static_cast<std::uint32_t>(*sm), std::string(*toolkit), "",
                        std::string(*assumption)};
  for (;;) {
    const auto line = take_line();
    if (!line) return {};
    if (line->empty()) break;
    const std::size_t blank = line->find(' ');
    if (blank == std::string_view::npos) return {};
    listing.dependencies.push_back(
        {std::string(line->substr(blank + 1)), std::string(line->substr(0, blank))});
  }
  listing.text = body;
  return listing;
}

namespace fs = std::filesystem;

// Shared by all steps below.
struct Work {
  const ToolkitInput& input;
  const ListingPlan& plan;
  const Toolkit& toolkit;
  const fs::path& folder;  // temporary
};

std::string shown_name(const ToolkitInput& input) {
  return input.path.empty() ? input.shown_as : input.path.string();
}

Diagnostic at_input(const ToolkitInput& input, Diagnostic failure) {
  if (failure.place.empty()) failure.place = shown_name(input);
  return failure;
}

// The architecture to compile for: the one asked for, or the newest older one the compiler knows.
Expected<ArchitectureChoice> compile_target(const Work& work) {
  const std::vector<std::uint32_t> known = architectures_of(work.toolkit, work.plan.needs);
  if (known.empty()) {
    return Diagnostic{work.toolkit.folder.string(),
                      "the compiler does not say what it compiles for",
                      "a CUDA toolkit 11 or newer", ""};
  }
  if (!work.input.sm) {
    return ArchitectureChoice{known.back(), false,
                              "no GPU was named: compiled for sm_" + std::to_string(known.back()) +
                                  ", the newest that the toolkit knows"};
  }
  const bool newer_than_all = *work.input.sm > known.back();
  auto choice =
      choose_architecture({known, {}}, work.input.sm, work.input.assume_isa || newer_than_all);
  if (!choice) {
    return Diagnostic{"",
                      "the toolkit in " + work.toolkit.folder.string() + " compiles for " +
                          architecture_names({known, {}}) + ", none of which runs on sm_" +
                          std::to_string(*work.input.sm),
                      "a toolkit that knows that architecture",
                      "name one with --cuda, or add --assume-isa"};
  }
  return choice;
}

// The input as a file that programs can open.
Expected<fs::path> as_file(const Work& work) {
  if (!work.input.path.empty()) return work.input.path;
  fs::path path = work.folder / "input";
  const auto written = write_file(path, work.input.bytes);
  if (!written) return written.error();
  return path;
}

/// Kernels get the functions that they call.
Expected<StoredListing> listing_of_cubin(const Work& work, const fs::path& cubin,
                                         std::uint32_t sm) {
  const auto bytes = read_file(cubin);
  const std::string linked = bytes ? link_cubin(*bytes) : std::string();
  if (!linked.empty()) {
    if (const auto written = write_file(cubin, linked); !written) return written.error();
  }
  auto text = disassemble(work.toolkit, cubin, {}, work.folder);
  if (!text) return text.error();
  return StoredListing{sm, "", std::move(*text), ""};
}

// The error for host code only, or for calls of a library whose kernels are elsewhere.
Diagnostic no_kernel(const Work& work) {
  Diagnostic failure{"", "holds no kernel: no __global__ function was compiled",
                     "CUDA source with a kernel", ""};
  constexpr std::pair<std::string_view, std::string_view> libraries[] = {
      {"cublas", "cuBLAS"},     {"cudnn", "cuDNN"},       {"cufft", "cuFFT"},
      {"cusparse", "cuSPARSE"}, {"cusolver", "cuSOLVER"}, {"curand", "cuRAND"}};
  for (const auto& [word, name] : libraries) {
    if (work.plan.content.find(word) == std::string::npos) continue;
    failure.found += "; it calls " + std::string(name) +
                     ", whose kernels lie in the library and are chosen when it runs";
    failure.way_out =
        "give the library itself, whose kernels 'forewarp analyze --list' shows, or "
        "a kernel of your own that does the same";
    return failure;
  }
  failure.way_out = work.plan.content.find("template") != std::string::npos
                        ? "templates are compiled where they are used: add an instance, as "
                          "'template __global__ void k<float>(float*);'"
                        : "give the file that defines the kernel";
  return failure;
}

// The toolkit's root, which has folders of programs and of headers.
std::string toolkit_root(const Toolkit& toolkit) {
  const fs::path folder = toolkit.folder.lexically_normal();
  const fs::path root = folder.filename() == "bin" ? folder.parent_path() : folder;
  return (root / "").string();
}

fs::path folder_of(const ToolkitInput& input) {
  return input.path.empty() ? fs::path(".") : input.path.parent_path();
}

/// What the compiler read besides the source. The toolkit's own headers have its identity.
std::vector<Dependency> dependencies_of(const Work& work, const CompileJob& job) {
  const auto rule = read_file(job.rule);
  if (!rule) return {};
  std::vector<fs::path> left_out{work.folder, job.source};
  const fs::path root = toolkit_root(work.toolkit);
  if (root != "/usr/") left_out.insert(left_out.end(), {root / "include", root / "targets"});
  return dependencies_in(*rule, folder_of(work.input), left_out);
}

Expected<void> compile(const Work& work, const CompileJob& job) {
  if (work.input.kind == ContentKind::cuda_source) return compile_source(work.toolkit, job);
  if (!work.plan.opencl) return compile_ptx(work.toolkit, job);
  CompileJob first = job, second = job;
  first.cubin = second.source = work.folder / "compiled.ptx";
  second.keeps_lines = true;
  second.rule.clear();
  const auto made = compile_opencl(*work.plan.opencl, first);
  return made ? compile_ptx(work.toolkit, second) : made;
}

/// Names and types of the parameters, as the source declares them; what the source asks of a launch
/// is an assumption.
void add_signatures(const Work& work, StoredListing& listing) {
  if (!work.plan.opencl) {
    listing.text = with_parameter_lines(listing.text, signatures_in(work.plan.content),
                                        SourceStructures(work.plan.content));
    return;
  }
  const OpenClKernels kernels = opencl_kernels_in(work.plan.content);
  listing.text = with_parameter_lines(listing.text, kernels.signatures);
  std::vector<std::string> sentences{"OpenCL was compiled by " +
                                     work.plan.opencl->clang.filename().string() +
                                     " and ptxas: the vendor's OpenCL compiler makes other code"};
  sentences.insert(sentences.end(), kernels.remarks.begin(), kernels.remarks.end());
  if (!listing.assumption.empty()) sentences.push_back(listing.assumption);
  listing.assumption = join(sentences, "; ");
}

Expected<StoredListing> from_text(const Work& work) {
  const auto file = as_file(work);
  if (!file) return file.error();
  const auto target = compile_target(work);
  if (!target) return target.error();
  CompileJob job{*file, work.folder / "compiled.cubin", shown_name(work.input), target->sm,
                 work.input.compile_options};
  const bool is_source = work.input.kind != ContentKind::ptx;
  if (is_source) job.rule = work.folder / "compiled.d";
  if (const auto compiled = compile(work, job); !compiled) return compiled.error();
  auto listing = listing_of_cubin(work, job.cubin, target->sm);
  const auto says = [&](std::string_view text) {
    return listing->text.find(text) != std::string::npos;
  };
  if (listing && !says("Function : ") && !says("/*00")) return no_kernel(work);
  if (listing && is_source) {
    const std::string source = fs::absolute(*file).string();
    listing->text = with_source_markers(listing->text, line_dump(work.toolkit, job.cubin),
                                        {source, toolkit_root(work.toolkit)});
  }
  if (listing) listing->assumption = target->assumption;
  if (listing && is_source) {
    add_signatures(work, *listing);
    listing->dependencies = dependencies_of(work, job);
  }
  return listing;
}

Expected<StoredListing> from_embedded_ptx(const Work& work, const fs::path& file) {
  const auto parts = extract_ptx(work.toolkit, file, work.plan.choice.sm, work.folder);
  if (!parts) return parts.error();
  const auto target = compile_target(work);
  if (!target) return target.error();
  StoredListing all{target->sm, "", "", target->assumption};
  for (const fs::path& part : *parts) {
    const CompileJob job{part, fs::path(part) += ".cubin", shown_name(work.input), target->sm, {}};
    const auto compiled = compile_ptx(work.toolkit, job);
    if (!compiled) return compiled.error();
    auto listing = listing_of_cubin(work, job.cubin, target->sm);
    if (!listing) return listing.error();
    all.text += listing->text;
  }
  return all;
}

/// The plain cubins of an architecture.
std::vector<std::string> cubins_in(std::string_view file, std::uint32_t sm) {
  std::vector<std::string> cubins;
  const auto parts = code_parts(file);
  if (!parts) return cubins;
  for (const CodePart& part : *parts) {
    if (part.kind != CodeKind::machine || part.sm != sm) continue;
    auto bytes = payload_of(part);
    if (bytes) cubins.push_back(*std::move(bytes));
  }
  return cubins;
}

/// The listing of machine code whose kernels call functions of their cubin; nullopt: none does.
std::optional<Expected<StoredListing>> from_linked(const Work& work) {
  const std::uint32_t sm = work.plan.choice.sm;
  const std::vector<std::string> cubins = cubins_in(work.plan.content, sm);
  if (std::ranges::all_of(cubins, [](const auto& one) { return link_cubin(one).empty(); }))
    return std::nullopt;
  StoredListing all{sm, "", "", ""};
  for (const std::string& bytes : cubins) {
    const fs::path cubin = work.folder / "linked.cubin";
    if (const auto written = write_file(cubin, bytes); !written) return written.error();
    auto listing = listing_of_cubin(work, cubin, sm);
    if (!listing) return listing;
    all.text += listing->text;
  }
  return all;
}

Expected<StoredListing> from_binary(const Work& work) {
  const auto file = as_file(work);
  if (!file) return file.error();
  if (work.plan.choice.compile_ptx) return from_embedded_ptx(work, *file);
  if (auto linked = from_linked(work)) return *std::move(linked);
  const bool several = work.input.kind != ContentKind::cubin;
  auto text = disassemble(work.toolkit, *file,
                          several ? std::optional(work.plan.choice.sm) : std::nullopt, work.folder);
  if (!text) return text.error();
  const bool lines = work.plan.content.find(".debug_line") != std::string::npos;
  if (!several && lines) {
    *text = with_source_markers(*text, line_dump(work.toolkit, *file), {});
  }
  return StoredListing{work.plan.choice.sm, "", std::move(*text), ""};
}

Expected<StoredListing> make_listing(const ToolkitInput& input, const ListingPlan& plan,
                                     const Toolkit& toolkit) {
  const auto folder = TemporaryFolder::create();
  if (!folder) return folder.error();
  const Work work{input, plan, toolkit, folder->path()};
  const bool is_text = input.kind == ContentKind::cuda_source ||
                       input.kind == ContentKind::opencl_source || input.kind == ContentKind::ptx;
  auto listing = is_text ? from_text(work) : from_binary(work);
  if (!listing) return listing;
  listing->toolkit = "CUDA " + version_of(toolkit.cuobjdump) + " in " + toolkit.folder.string();
  return listing;
}

std::string key_of(const ToolkitInput& input, const ListingPlan& plan, const Toolkit& toolkit) {
  // Counts up when the lines that are added to a listing change.
  std::string all = "6 " + std::to_string(static_cast<int>(input.kind)) + ' ';
  all += input.sm ? std::to_string(*input.sm) : "any";
  all += input.assume_isa ? " assumed " : " ";
  all += std::to_string(plan.choice.sm) + '\n' + toolkit.identity + sha256_of(plan.content);
  for (const std::string& option : input.compile_options) all += '\n' + option;
  return sha256_of(all);
}

/// A disassembler that was ended on the way may leave no more than its first lines.
bool has_instructions(std::string_view listing) {
  return listing.find("/*0") != std::string_view::npos;
}

}  // namespace

DiskCache kept_listings() {
  constexpr std::size_t most = std::size_t{64} << 20;  // a listing of a large library
  return DiskCache::named("listings", ".sass", most);
}

bool needs_toolkit(ContentKind kind) {
  return kind != ContentKind::empty && kind != ContentKind::other_text &&
         kind != ContentKind::other_binary;
}

Expected<ToolkitListing> listing_of(const ToolkitInput& input, const ToolkitSearch& search,
                                    const DiskCache& cache) {
  const auto plan = plan_listing(input);
  if (!plan) return at_input(input, plan.error());
  const auto toolkit = find_toolkit(search, plan->needs);
  if (!toolkit) {
    Diagnostic failure = toolkit.error();
    failure.found = std::string(name_of(input.kind)) + " needs a toolkit: " + failure.place + ' ' +
                    failure.found;
    failure.place = shown_name(input);
    return failure;
  }
  const std::string key = key_of(input, *plan, *toolkit);
  const auto kept = cache.find(key);
  auto stored = kept ? unpacked(*kept) : std::nullopt;
  if (stored && !has_instructions(stored->text)) stored.reset();
  if (stored && !all_unchanged(stored->dependencies, folder_of(input))) stored.reset();
  const bool from_cache = stored.has_value();
  if (!stored) {
    auto made = make_listing(input, *plan, *toolkit);
    if (!made) return at_input(input, made.error());
    if (has_instructions(made->text)) cache.store(key, packed(*made));
    stored = std::move(*made);
  }
  ToolkitListing listing{std::move(stored->text),
                         stored->sm,
                         std::move(stored->toolkit),
                         from_cache,
                         input.sm && !runs_on(stored->sm, *input.sm),
                         {}};
  for (const std::string& assumption : {plan->choice.assumption, stored->assumption}) {
    if (!assumption.empty()) listing.assumptions.push_back(assumption);
  }
  return listing;
}

}  // namespace forewarp::input
