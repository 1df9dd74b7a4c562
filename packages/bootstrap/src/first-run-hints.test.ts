import { runWorkflow } from '@groundplane/phases';
import { describe, expect, test } from 'vitest';
import { run } from '../test/init-run.ts';
import { initContext, initWorld } from '../test/init-world.ts';
import { initWorkflow } from './index.ts';

const own = { cluster: 'clusterName: acme\n' };
const selection = { only: ['preflight'] };

describe('a check that asks for the absence of something', () => {
  test('on a control-plane node asks for its configuration, and warns of giving it up', async () => {
    const ports = initWorld();
    await runWorkflow({ workflow: initWorkflow, config: await initContext(own), ports, actor: 'test' });
    ports.memory.put('/var/lib/etcd/member/snap/db', { content: 'data' });
    const { error } = await run(
      ports,
      await initContext({ cluster: 'networking: {serviceSubnet: 10.200.0.0/16}\n' }),
      selection,
    );
    const hints = error?.findings.map(({ hint }) => hint) ?? [];
    expect(hints.length).toBeGreaterThan(1);
    for (const hint of hints)
      expect(hint).toMatch(/--config FILE.*Only to give it up, which loses .* etcd: groundplane reset$/);
    // With it nothing is in the way.
    expect((await run(ports, await initContext(own), selection)).error).toBeUndefined();
  });

  test('a manifest of another maker: in what it differs, and how to keep it', async () => {
    const ports = initWorld();
    const config = await initContext();
    await run(ports, config, { only: ['certs', 'etcd'] });
    const path = '/etc/kubernetes/manifests/etcd.yaml';
    const text = ports.memory.text(path) ?? '';
    ports.memory.put(path, { content: text.replace('- --cert-file', '- --max-wals=hunter2\n    - --cert-file') });
    const { error } = await run(ports, config, selection);
    const check = 'FileAvailable--etc-kubernetes-manifests-etcd.yaml';
    const finding = error?.findings.find(({ artifact }) => artifact === check);
    expect(finding?.hint).toContain('it has "--max-wals"');
    // What a foreign manifest says may be a secret.
    expect(finding?.hint).not.toContain('hunter2');
    const [, phase, checks] =
      /To keep it: --skip-phases (\S+) --ignore-preflight-errors (\S+)$/.exec(
        finding?.hint?.split('. This')[0] ?? '',
      ) ?? [];
    expect([phase, checks?.split(',')[0]]).toEqual(['etcd/local', check]);
    const ignoring = await initContext({ init: `  ignorePreflightErrors: [${checks}]\n` });
    expect((await run(ports, ignoring, selection)).error).toBeUndefined();
  });

  test('elsewhere tells who is in the way', async () => {
    const ports = initWorld({ facts: { canListen: async () => false } });
    const { error } = await run(ports, await initContext(), selection);
    expect(error?.findings[0]?.hint).toMatch(/ss -ltnp/);
    expect(error?.findings[0]?.hint).not.toMatch(/--config/);
  });
});
