import { describe, expect, it } from 'vitest';
import { mountsBelow } from './mounts-below.ts';

// /var/lib/kubelet is a link to /data/kubelet, which is a file system of its own.
const table = `proc /proc proc rw 0 0
/dev/sdb1 /data/kubelet ext4 rw 0 0
tmpfs /data/kubelet/pods/1/volumes/kubernetes.io~secret/tok tmpfs rw 0 0
/dev/sdc /data/kubelet/plugins/csi/pv\\040one ext4 rw 0 0
tmpfs /data/kubelet2/x tmpfs rw 0 0
tmpfs /data/kubelet/pods/1/volumes/kubernetes.io~secret/tok/sub tmpfs rw 0 0
/dev/sdd /var/lib/kubelet-extra ext4 rw 0 0
`;

const written = (directory: string, text = table) => mountsBelow(text, directory).map((mount) => mount.written);

describe('mountsBelow', () => {
  it('selects what is strictly below, in the order of the table', () => {
    expect(written('/data/kubelet')).toEqual([
      '/data/kubelet/pods/1/volumes/kubernetes.io~secret/tok',
      '/data/kubelet/plugins/csi/pv\\040one',
      '/data/kubelet/pods/1/volumes/kubernetes.io~secret/tok/sub',
    ]);
  });

  it('says where a mount point with a blank really is', () => {
    expect(mountsBelow(table, '/data/kubelet')[1]?.mountPoint).toBe('/data/kubelet/plugins/csi/pv one');
  });

  it.each([
    { name: 'a link is not what it leads to', directory: '/var/lib/kubelet', expected: [] },
    { name: 'a slash at the end changes nothing', directory: '/data/kubelet2/', expected: ['/data/kubelet2/x'] },
    { name: 'a mount point has nothing below', directory: '/data/kubelet2/x', expected: [] },
  ])('$name', ({ directory, expected }) => {
    expect(written(directory)).toEqual(expected);
  });

  it('compares with paths as they are', () => {
    expect(written('/a b', 'tmpfs /a\\040b/c tmpfs rw 0 0')).toEqual(['/a\\040b/c']);
  });

  it.each(['', '\n\n', 'proc'])('finds nothing in %j', (text) => {
    expect(mountsBelow(text, '/data/kubelet')).toEqual([]);
  });
});
