# SPDX-License-Identifier: Apache-2.0
# Script part of EmbedText.cmake: INPUT -> OUTPUT with the text as a raw string named SYMBOL.
file(READ ${INPUT} text)
string(LENGTH "${text}" length)
# One piece may be too long for a compiler: the text is split and concatenated.
set(literal "")
set(position 0)
while(position LESS length)
  string(SUBSTRING "${text}" ${position} 8000 piece)
  string(APPEND literal "R\"FWTEXT(${piece})FWTEXT\"\n")
  math(EXPR position "${position} + 8000")
endwhile()
# Longer than compilers have to take; those that build this take it.
set(before "#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n")
set(after "#pragma GCC diagnostic pop\n")
# With its length stated: counting it would exceed what compilers evaluate.
file(WRITE ${OUTPUT} "// Generated from ${INPUT}; edit that file.\n#pragma once\n#include <string_view>\n\n${before}\nnamespace forewarp::embedded {\ninline constexpr char ${SYMBOL}_text[] =\n${literal};\ninline constexpr std::string_view ${SYMBOL}(${SYMBOL}_text, sizeof ${SYMBOL}_text - 1);\n}\n${after}")
