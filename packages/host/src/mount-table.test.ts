import { describe, expect, it } from 'vitest';
import { mountTableIn } from './mount-table.ts';

const table = [
  'proc /proc proc rw 0 0',
  'overlay /roots/n1 overlay rw 0 0',
  'tmpfs /roots/n1/var/lib/kubelet/a\\040b\\134c tmpfs rw 0 0',
  'tmpfs /roots/n10/var tmpfs rw 0 0',
  '',
].join('\n');

describe('mountTableIn', () => {
  it('has what is mounted in the root, with paths that begin there', () => {
    expect(mountTableIn('/roots/n1', table)).toBe(
      'overlay / overlay rw 0 0\ntmpfs /var/lib/kubelet/a\\040b\\134c tmpfs rw 0 0\n',
    );
  });
});
