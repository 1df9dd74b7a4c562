const booleans: Readonly<Record<string, boolean>> = {
  '1': true,
  t: true,
  T: true,
  true: true,
  TRUE: true,
  True: true,
  '0': false,
  f: false,
  F: false,
  false: false,
  FALSE: false,
  False: false,
};

/** Parses a boolean in the forms that Go's strconv.ParseBool takes; undefined for any other text. */
export function parseGoBool(text: string): boolean | undefined {
  return Object.hasOwn(booleans, text) ? booleans[text] : undefined;
}
