# Writes a text file as an array of bytes in C, without indentation, comments on lines of their own
# and empty lines.
#
#   cmake -DINPUT=flame.js -DOUTPUT=flame_script.c -DNAME=fst_flame_script -P embed.cmake
#
# Where the text is to stand in a CDATA section of XML it must not end it.
file(READ ${INPUT} text)
string(REGEX REPLACE "\n[ \t]+" "\n" text "${text}")
string(REGEX REPLACE "\n//[^\n]*" "" text "${text}")
string(REGEX REPLACE "\n\n+" "\n" text "${text}")
string(FIND "${text}" "]]>" ends)
if(NOT ends EQUAL -1)
  message(FATAL_ERROR "${INPUT}: \"]]>\" would end the CDATA section that holds it")
endif()
get_filename_component(name ${INPUT} NAME)
file(WRITE ${OUTPUT}.txt "${text}")
file(READ ${OUTPUT}.txt bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR length "${digits} / 2")
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "((0x..,){16})" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "/* Generated from ${name}. */
extern const unsigned char ${NAME}[];
extern const unsigned long ${NAME}_len;
const unsigned char ${NAME}[] = {
${bytes}};
const unsigned long ${NAME}_len = ${length};
")
