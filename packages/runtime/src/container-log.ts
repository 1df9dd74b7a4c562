/**
 * The lines of a container's log file. Each line of the file is `TIME STREAM TAG TEXT`; the tag `P` says that the line goes on in the
 * next entry of its stream, `F` that it ends (kubernetes/design-proposals-archive, node/kubelet-cri-logging.md).
 *
 * @param text the end of a log file; a first line that was cut is passed over
 */
export function parseContainerLog(text: string): readonly string[] {
  const lines: string[] = [];
  const partial = new Map<string, string>();
  for (const entry of text.split('\n')) {
    const [, stream, tag, content] = /^\S+ (stdout|stderr) (\S+) (.*)$/.exec(entry) ?? [];
    if (stream === undefined || tag === undefined || content === undefined) continue;
    const line = (partial.get(stream) ?? '') + content;
    const goesOn = tag.split(':').includes('P');
    partial.set(stream, goesOn ? line : '');
    if (!goesOn) lines.push(line);
  }
  for (const rest of partial.values()) {
    if (rest !== '') lines.push(rest);
  }
  return lines;
}
