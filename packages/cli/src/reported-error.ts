/** An error that the command has already put into its structured output; people still read it on stderr. */
export class ReportedError extends Error {
  override readonly name = 'ReportedError';
  readonly error: unknown;

  constructor(error: unknown) {
    super('reported', { cause: error });
    this.error = error;
  }
}
