import { describe, expect, it } from 'vitest';
import { impossibleKubeconfigs, kubeconfigDocument, possibleKubeconfigs } from '../test/impossible-kubeconfigs.ts';
import { parseKubeconfig } from './kubeconfig.ts';

describe('a kubeconfig that client-go does not decode', () => {
  it.each(impossibleKubeconfigs)('is refused by its field: %s', (_, path, change) => {
    const document = kubeconfigDocument();
    change(document);
    expect(() => parseKubeconfig(JSON.stringify(document))).toThrow(`'${path}' must `);
  });
});

describe('a kubeconfig that client-go decodes', () => {
  it.each(possibleKubeconfigs)('is read: %s', (_, change) => {
    const document = kubeconfigDocument();
    change(document);
    expect(parseKubeconfig(JSON.stringify(document)).users).toHaveLength(1);
  });
});

it('does not repeat what may be a secret', () => {
  const document = kubeconfigDocument();
  Object.assign(document.users[0]?.user ?? {}, { token: 271_828, password: ['hunter2'] });
  expect(() => parseKubeconfig(JSON.stringify(document))).toThrow(
    expect.objectContaining({ message: expect.not.stringMatching(/271828|hunter2/) }),
  );
});
