/**
 * Text of characters that take one column each, whatever stands beside them: ASCII, and the signs that this program draws
 * with. To measure anything else loads the tables of Unicode, which takes longer than all the rest of the first frame.
 */
export const oneColumnText =
  /^[\x20-\x7e\xb1\xb7\xd7\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026\u2190-\u2194\u2212\u2248\u2264\u2265\u2500\u250a\u2581-\u258f\u25b8\u2713\u2717]*$/;
