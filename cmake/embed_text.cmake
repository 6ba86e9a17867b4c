# SPDX-License-Identifier: Apache-2.0
# Script part of EmbedText.cmake: INPUT -> OUTPUT with the text as a raw string named SYMBOL.
file(READ ${INPUT} text)
string(LENGTH "${text}" length)
# A string literal may not exceed 64 KiB everywhere: the text is split and concatenated.
set(literal "")
set(position 0)
while(position LESS length)
  string(SUBSTRING "${text}" ${position} 8000 piece)
  string(APPEND literal "R\"FWTEXT(${piece})FWTEXT\"\n")
  math(EXPR position "${position} + 8000")
endwhile()
file(WRITE ${OUTPUT} "// Generated from ${INPUT}; edit that file.\n#pragma once\n#include <string_view>\n\nnamespace forewarp::embedded {\ninline constexpr std::string_view ${SYMBOL} =\n${literal};\n}\n")
