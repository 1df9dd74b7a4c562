import { describe, expect, it } from 'vitest';
import { compareKubernetesVersions, kubernetesVersionToImageTag, parseRequestedVersion } from './kubernetes-version.ts';

describe('parseRequestedVersion', () => {
  it.each([
    ['1.37.2', { version: 'v1.37.2', ci: false }],
    ['v1.37.2', { version: 'v1.37.2', ci: false }],
    ['v1.37.2+build.5', { version: 'v1.37.2+build.5', ci: false }],
    ['v1.37.2-rc.0+abc', { version: 'v1.37.2-rc.0+abc', ci: false }],
    ['v1.37.2-eks-1-37-5', { version: 'v1.37.2-eks-1-37-5', ci: false }],
    ['release/v1.37.2', { version: 'v1.37.2', ci: false }],
    ['ci/v1.37.2-alpha.1.2+abc', { version: 'v1.37.2-alpha.1.2+abc', ci: true }],
    ['v2.5.0', { version: 'v2.5.0', ci: false }],
    ['stable', { label: 'stable', ci: false }],
    ['stable-1', { label: 'stable-1', ci: false }],
    ['latest-1.37', { label: 'latest-1.37', ci: false }],
    ['ci/latest', { label: 'latest', ci: true }],
  ])('reads %s', (text, expected) => {
    expect(parseRequestedVersion(text)).toEqual(expected);
  });

  it.each([
    'v1.37',
    '1',
    'V1.37.2',
    'v1.37.02',
    'v01.37.2',
    ' v1.37.2',
    'v1.37.2 ',
    'v1.37.2-',
    'v1.37.2+',
    'v1.37.2_1',
    'stable-1.37.2',
    'stable-0',
    'newest',
    'https://dl.k8s.io/release/stable.txt',
    'v1.37.2\n',
    '',
  ])('refuses %j', (text) => {
    expect(parseRequestedVersion(text)).toBeUndefined();
  });
});

it('orders pre-releases before their release', () => {
  expect(compareKubernetesVersions('v1.36.0-rc.1', 'v1.36.0')).toBeLessThan(0);
  expect(compareKubernetesVersions('v1.37.10', 'v1.37.9')).toBeGreaterThan(0);
  expect(compareKubernetesVersions('v1.37.2+a', 'v1.37.2')).toBe(0);
});

it('replaces what image tags do not allow', () => {
  expect(kubernetesVersionToImageTag('v1.37.2-alpha.1+abc.5')).toBe('v1.37.2-alpha.1_abc.5');
});
