/** Major version of the shapes of `-o json` and `-o jsonl`, and of their schemas; docs/output.md says what changes it. */
export const outputVersion = 'v1';
