// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "execution/lowering/lowering.h"
#include "execution/state/video_form.h"
#include "program/opcode_words.h"

namespace forewarp::execution {
namespace {

/// What the words behind the opcode say; each of them is asked for, so that none is passed over.
struct VideoWords {
  VideoForm form;
  std::uint32_t types = 0;  ///< of a, then b: both are named, or none
};

/// S8 to U32.
bool read_type(std::string_view word, VideoWords& words) {
  if (word.size() < 2 || (word[0] != 'S' && word[0] != 'U') || words.types == 2) return false;
  const std::string_view bits = word.substr(1);
  if (bits != "8" && bits != "16" && bits != "32") return false;
  VideoForm::Part& part = words.types++ == 0 ? words.form.a : words.form.b;
  part.is_signed = word[0] == 'S';
  part.width = bits == "8" ? 0 : (bits == "16" ? 1 : 2);
  return true;
}

bool read_second(std::string_view word, VideoForm& form) {
  constexpr auto names = std::to_array<std::string_view>(
      {"", "ACC", "MIN", "MAX", "MRG_8B0", "MRG_8B2", "MRG_16L", "MRG_16H"});
  const auto* const at = std::ranges::find(names, word);
  if (at == names.end()) return false;
  form.second = static_cast<VideoForm::Second>(at - names.begin());
  return true;
}

/// Words of one opcode alone; of a form that has another nothing is used.
bool read_own(std::string_view word, VideoForm& form) {
  switch (form.first) {
    case VideoForm::First::minimum:
      form.first = VideoForm::First::maximum;
      return word == "MX";
    case VideoForm::First::multiply:
      if (word == "PO") {
        form.plus_one = true;
        return true;
      }
      form.scale = word == "SHR_7" ? 1 : 2;
      return word == "SHR_7" || word == "SHR_15";
    case VideoForm::First::compare: {
      constexpr auto names =
          std::to_array<std::string_view>({"", "LT", "EQ", "LE", "GT", "NE", "GE"});
      const auto* const at = std::ranges::find(names, word);
      form.holds = static_cast<std::uint8_t>(at - names.begin());
      return at != names.end();
    }
    case VideoForm::First::shift_left:
    case VideoForm::First::shift_right:
      form.wraps = true;
      return word == "W";
    default:
      return false;
  }
}

bool read_word(std::string_view word, VideoWords& words) {
  VideoForm& form = words.form;
  if (word == "SAT") {
    form.saturates = true;
    return true;
  }
  const bool product = form.first == VideoForm::First::multiply;
  // The result of a product has the sign of what it is made of, that of a comparison none.
  if (!product && form.first != VideoForm::First::compare && (word == "SD" || word == "UD")) {
    form.is_signed = word == "SD";
    return true;
  }
  if (read_type(word, words)) return true;
  return product ? read_own(word, form) : read_second(word, form) || read_own(word, form);
}

bool is_shift(const VideoForm& form) {
  return form.first == VideoForm::First::shift_left || form.first == VideoForm::First::shift_right;
}

bool read_words(Lowering& l, VideoWords& words) {
  const bool differs = words.form.first == VideoForm::First::absolute_difference;
  words.form.is_signed = !differs && words.form.first != VideoForm::First::compare;
  // A count has no sign, which is not printed beside a signed word.
  if (is_shift(words.form)) words.form.b.is_signed = false;
  for (const OpcodeWord at : opcode_words(l.kernel(), l.instruction())) {
    if (!read_word(at.in(l.kernel()), words)) return false;
  }
  if (words.form.first == VideoForm::First::compare && words.form.holds == 0) return false;
  return words.types != 1 && !(is_shift(words.form) && words.form.b.is_signed);
}

/// The byte where a part begins; .B0 and .H0 are not printed.
bool read_part(const Operand& operand, VideoForm::Part& part) {
  if (operand.part == Part::whole) return true;
  if (operand.part == Part::h0 || operand.part == Part::h1) {
    part.byte = operand.part == Part::h1 ? 2 : 0;
    return part.width == 1;
  }
  if (operand.part < Part::b0) return false;
  part.byte = static_cast<std::uint8_t>(static_cast<unsigned>(operand.part) -
                                        static_cast<unsigned>(Part::b0));
  return part.width == 0;
}

/// A source of which the sign is left to the operation: a part is negated, not the word.
bool source_part(Lowering& l, unsigned index, VideoForm::Part& part) {
  const Operand* operand = l.peek();
  if (operand == nullptr || operand->invert || operand->absolute || !read_part(*operand, part) ||
      !l.source(index, Reading::integer)) {
    return false;
  }
  part.negative = operand->negate;
  if (operand->kind == OperandKind::integer && operand->value < 0) {
    part.negative = true;
    l.set_immediate(index, static_cast<std::uint32_t>(-operand->value));
  }
  l.op.source[index].modified = false;
  l.op.modify[index] = SourceModifier{};
  return true;
}

/// A sum subtracts b, a product itself or c; where one is added to it, nothing.
bool signs_are_known(VideoForm& form) {
  if (form.first == VideoForm::First::add) return !form.a.negative && !form.subtracts_c;
  if (form.first != VideoForm::First::multiply) {
    return !form.a.negative && !form.b.negative && !form.subtracts_c;
  }
  form.is_signed = form.a.is_signed || form.b.is_signed || form.a.negative || form.subtracts_c;
  return !form.b.negative && form.a.negative + form.subtracts_c + form.plus_one <= 1;
}

bool video(Lowering& l, VideoForm::First first) {
  l.op.operation = Operation::video;
  VideoWords words;
  VideoForm& form = words.form;
  form.first = first;
  if (!read_words(l, words) || !l.destination() || l.op.has(flag::set_code)) return false;
  if (!source_part(l, 0, form.a) || !source_part(l, 1, form.b)) return false;
  VideoForm::Part whole;
  if (!source_part(l, 2, whole)) return false;
  form.subtracts_c = whole.negative;
  if (!signs_are_known(form)) return false;
  l.op.immediate = form.packed();
  return true;
}

bool add(Lowering& l) {
  return video(l, VideoForm::First::add);
}

bool extreme(Lowering& l) {
  return video(l, VideoForm::First::minimum);
}

/// From sm_70 on it is |a - b| + c.
bool absolute_difference(Lowering& l) {
  if (l.sm() < 70) return video(l, VideoForm::First::absolute_difference);
  l.op.operation = Operation::sum_absolute_difference;
  l.set(flag::is_signed, !l.has(modifier::u32));
  return l.destination() && l.source(0, Reading::integer) && l.source(1, Reading::integer) &&
         l.source(2, Reading::integer);
}

bool multiply_add(Lowering& l) {
  return video(l, VideoForm::First::multiply);
}

bool compare(Lowering& l) {
  return video(l, VideoForm::First::compare);
}

bool shift_left(Lowering& l) {
  return video(l, VideoForm::First::shift_left);
}

bool shift_right(Lowering& l) {
  return video(l, VideoForm::First::shift_right);
}

/// VABSDIFF4.U8.S8.ACC: from sm_70 on one type is that of both.
bool byte_differences(Lowering& l) {
  l.op.operation = Operation::byte_difference;
  std::uint32_t types = 0;
  bool a = true, b = true;
  for (const OpcodeWord at : opcode_words(l.kernel(), l.instruction())) {
    const std::string_view word = at.in(l.kernel());
    if (word == "ACC") {
      l.set(flag::accumulate);
      continue;
    }
    if (word != "U8" && word != "S8") return false;
    if (++types > 2) return false;
    b = word == "S8";
    if (types == 1) a = b;
  }
  l.set(flag::signed_a, a);
  l.set(flag::signed_b, b);
  if (types == 1 && l.sm() < 70) return false;
  return l.destination() && l.source(0, Reading::integer) && l.source(1, Reading::integer) &&
         l.source(2, Reading::integer);
}

constexpr auto rules = std::to_array<LoweringRule>({
    {"VADD", add},
    {"VMNMX", extreme},
    {"VABSDIFF", absolute_difference},
    {"VABSDIFF4", byte_differences},
    {"VMAD", multiply_add},
    {"VSET", compare},
    {"VSHL", shift_left},
    {"VSHR", shift_right},
});

}  // namespace

std::span<const LoweringRule> video_rules() {
  return rules;
}

}  // namespace forewarp::execution
