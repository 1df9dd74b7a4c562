import { parseMountTable } from '@groundplane/phases';

/**
 * The table as programs in another root would see it: only what is mounted in that root, with paths that begin there.
 *
 * @param root absolute path of the root without a slash at its end
 * @param text in the form of /proc/mounts
 */
export function mountTableIn(root: string, text: string): string {
  return parseMountTable(text)
    .filter(({ mountPoint }) => mountPoint === root || mountPoint.startsWith(`${root}/`))
    .map(({ line, mountPoint }) => {
      const [source = '', , ...rest] = line.split(' ');
      return `${[source, encodeOctal(mountPoint.slice(root.length) || '/'), ...rest].join(' ')}\n`;
    })
    .join('');
}

function encodeOctal(text: string): string {
  return text.replace(/[ \t\n\\]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
