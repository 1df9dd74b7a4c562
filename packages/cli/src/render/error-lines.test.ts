import { type Finding, GroundplaneError } from '@groundplane/errors';
import { describe, expect, it } from 'vitest';
import { errorDocument, errorLines } from './error-lines.ts';

const finding = (code: string, artifact: string, message: string, hint?: string): Finding => ({
  code,
  severity: 'error',
  artifact,
  message,
  ...(hint === undefined ? {} : { hint }),
});

const seeStack = 'To see the stack trace of this error execute with --v=5 or higher';
const ca = finding('PKI_EXPIRED', 'ca.crt', 'ca.crt has expired', 'make a new one');
const key = finding('PKI_MODE', 'ca.key', 'ca.key is open', 'chmod 0600 ca.key');

const one = new GroundplaneError('PHASES_CONFLICT', 'Cannot run init: ca.crt has expired', {
  kind: 'conflict',
  findings: [ca],
  hint: 'make a new one',
});
const two = new GroundplaneError('PHASES_CONFLICT', 'Cannot run init: ca.crt has expired; ca.key is open', {
  kind: 'conflict',
  findings: [ca, key],
  hint: 'make a new one\nchmod 0600 ca.key',
});
const unnamed = new GroundplaneError('X', 'Cannot read it: it is a folder', {
  kind: 'conflict',
  findings: [finding('A', '/etc/kubernetes/admin.conf', 'it is a folder', 'rm -r it')],
});
const counted = new GroundplaneError('X', 'Cannot use the configuration as it has 2 errors: it is bad; b is bad', {
  kind: 'usage',
  findings: [finding('A', 'x.y', 'it is bad'), finding('B', 'b', 'b is bad')],
});
const preflight = new GroundplaneError('BOOTSTRAP_PREFLIGHT_FAILED', 'error execution phase preflight: x', {
  kind: 'conflict',
  findings: [
    finding('PREFLIGHT_CPUS', 'NumCPU', 'too few CPUs'),
    finding('PREFLIGHT_MEMORY', 'Mem', 'too little memory'),
  ],
});

describe('errorLines', () => {
  it('advises commands by the name that was called, where kubeadm has them', () => {
    const hint = 'groundplane reset; groundplane status; groundplane init phase certs ca';
    const error = new GroundplaneError('X', 'Cannot', { kind: 'conflict', hint });
    expect(errorLines(error, { program: 'kubeadm', verbosity: 0 })).toContain(
      '\tkubeadm reset; groundplane status; kubeadm init phase certs ca',
    );
    expect(errorLines(error, { program: 'groundplane', verbosity: 0 })).toContain(`  ${hint}`);
  });

  it.each<readonly [string, unknown, readonly string[], readonly string[]]>([
    [
      'an error that quotes its only finding',
      one,
      [
        'error: Cannot run init: 1 thing stands in the way',
        '  error PKI_EXPIRED: ca.crt has expired',
        '    make a new one',
      ],
      [
        'error: Cannot run init: 1 thing stands in the way',
        '\terror PKI_EXPIRED: ca.crt has expired',
        '\t  make a new one',
        seeStack,
      ],
    ],
    [
      'findings that do not name what they are about',
      unnamed,
      ['error: Cannot read it: /etc/kubernetes/admin.conf: it is a folder', '  rm -r it'],
      ['error: Cannot read it: /etc/kubernetes/admin.conf: it is a folder', '\trm -r it', seeStack],
    ],
    [
      'an error whose message counts its findings',
      counted,
      ['error: Cannot use the configuration as it has 2 errors', '  error A: x.y: it is bad', '  error B: b is bad'],
      [
        'error: Cannot use the configuration as it has 2 errors',
        '\terror A: x.y: it is bad',
        '\terror B: b is bad',
        seeStack,
      ],
    ],
    [
      'an error with several findings',
      two,
      [
        'error: Cannot run init: 2 things stand in the way',
        '  error PKI_EXPIRED: ca.crt has expired',
        '    make a new one',
        '  error PKI_MODE: ca.key is open',
        '    chmod 0600 ca.key',
      ],
      [
        'error: Cannot run init: 2 things stand in the way',
        '\terror PKI_EXPIRED: ca.crt has expired',
        '\t  make a new one',
        '\terror PKI_MODE: ca.key is open',
        '\t  chmod 0600 ca.key',
        seeStack,
      ],
    ],
    [
      'failed preflight checks',
      preflight,
      [
        'error: error execution phase preflight: x',
        '  [ERROR NumCPU]: too few CPUs',
        '  [ERROR Mem]: too little memory',
      ],
      [
        '[preflight] Some fatal errors occurred:',
        '\t[ERROR NumCPU]: too few CPUs',
        '\t[ERROR Mem]: too little memory',
        '[preflight] If you know what you are doing, you can make a check non-fatal with `--ignore-preflight-errors=...`',
        'error: error execution phase preflight: preflight checks failed',
        seeStack,
      ],
    ],
  ])('%s', (_, error, groundplane, kubeadm) => {
    expect(errorLines(error, { program: 'groundplane', verbosity: 0 })).toEqual(groundplane);
    expect(errorLines(error, { program: 'kubeadm', verbosity: 0 })).toEqual(kubeadm);
  });

  it('shows where it comes from with --v=5, and for our own mistakes always', () => {
    const cause = new Error('inside');
    const error = new GroundplaneError('X', 'outside', { kind: 'internal', cause });
    const lines = errorLines(error, { program: 'kubeadm', verbosity: 5 });
    expect(lines[0]).toBe('error: outside');
    expect(lines).toContain('caused by: inside');
    expect(lines.some((line) => /error-lines\.test\.ts/.test(line))).toBe(true);
    expect(lines).not.toContain(seeStack);
    expect(errorLines(new TypeError('x'), { program: 'groundplane', verbosity: 0 }).length).toBeGreaterThan(1);
  });

  it('is data too', () => {
    expect(errorDocument(two)).toMatchObject({ code: 'PHASES_CONFLICT', kind: 'conflict', findings: [ca, key] });
    expect(errorDocument(new TypeError('x'))).toEqual({
      code: 'INTERNAL',
      kind: 'internal',
      message: 'x',
      details: {},
      findings: [],
    });
  });
});

describe('whatever an error quotes', () => {
  const token = 'abcdef.0123456789abcdef';
  const key = '0123456789abcdef'.repeat(4);
  const quoted = `${token} ${key} \u001b[2J\u009b2J`;
  const usage = new GroundplaneError('X', `Cannot use it: ${quoted}`, {
    kind: 'usage',
    hint: `not ${quoted}`,
    details: { words: [quoted] },
    findings: [finding('A', 'a', `one ${quoted}`, `hint ${quoted}`), finding('PREFLIGHT_B', 'b', `two ${quoted}`)],
  });
  const failing = new Error(`Command failed: kubeadm join --token ${quoted}`, { cause: new Error(quoted) });

  it.each([
    ['groundplane', usage],
    ['kubeadm', usage],
    ['groundplane', failing],
    ['kubeadm', failing],
  ] as const)('%s shows no token, no key and no control character of %s', (program, error) => {
    const text = errorLines(error, { program, verbosity: 5 }).join('\n');
    expect(text).toContain('<token withheld>');
    expect(text).toContain('\\x1b[2J\\u009b2J');
    expect(text).not.toMatch(/abcdef\.|[^\P{Cc}\n\t]/u);
    expect(text.includes(key)).toBe(error === failing);
  });

  it('is withheld from data, too', () => {
    const text = JSON.stringify(errorDocument(usage));
    expect(text.match(/<token withheld> <key withheld>/g)).toHaveLength(6);
    expect(text).not.toMatch(/abcdef/);
    expect(JSON.stringify(errorDocument(failing))).not.toContain(token);
  });
});
