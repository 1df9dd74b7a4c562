import { describe, expect, test } from 'vitest';
import { distrustOfStatus } from './distrust.ts';

describe('distrustOfStatus()', () => {
  const path = '/var/lib/groundplane/plugins';
  const roots = { uid: 0, gid: 0 };

  test.each([
    ["root's own", { ...roots, mode: 0o40755 }, {}],
    ["of root's group", { ...roots, mode: 0o40775 }, {}],
    ['readable by a group', { uid: 0, gid: 1000, mode: 0o100640 }, {}],
    ['a folder above it in which nobody renames what is of others', { ...roots, mode: 0o41777 }, { isAbove: true }],
  ])('trusts what is %s', (_, status, options) => {
    expect(distrustOfStatus(path, status, options)).toBeUndefined();
  });

  test.each([
    ['of somebody else', { uid: 1000, gid: 0, mode: 0o40700 }, {}, 'belongs to the user 1000', `chown root ${path}`],
    ['open to all', { ...roots, mode: 0o40757 }, {}, `others may write to ${path}: 0757`, `chmod go-w ${path}`],
    ['open to a group', { uid: 0, gid: 1000, mode: 0o100664 }, {}, `${path}: 0664`, `chmod go-w ${path}`],
    ['a folder like /tmp itself', { ...roots, mode: 0o41777 }, {}, `${path}: 1777`, `chmod go-w ${path}`],
    [
      'below a folder that is open',
      { ...roots, mode: 0o40777 },
      { isAbove: true },
      `${path}: 0777`,
      `chmod go-w ${path}`,
    ],
    ['below a folder of somebody else', { uid: 7, gid: 0, mode: 0o41777 }, { isAbove: true }, 'user 7', 'chown root'],
  ])('distrusts what is %s, and says how to mend it', (_, status, options, reason, hint) => {
    const found = distrustOfStatus(path, status, options);
    expect(found?.reason).toContain(reason);
    expect(found?.hint).toContain(hint);
  });
});
