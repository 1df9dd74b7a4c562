/** One line of output, without its line end. */
export interface RenderedLine {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

export function toStdout(text: string): RenderedLine {
  return { stream: 'stdout', text };
}

export function toStderr(text: string): RenderedLine {
  return { stream: 'stderr', text };
}
