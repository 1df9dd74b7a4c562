import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheDirectory } from './cache-directory.ts';
import { type Component, componentGroups, findGroup, kubernetesGroupName } from './component-table.ts';
import { ensureComponents } from './components.ts';
import { hostFacts } from './host-kubelet-settings.ts';
import { pauseImageName } from './image-table.ts';
import { enabledUnits, layerFiles, layerFolders } from './machine-files.ts';
import type { Report } from './progress.ts';

/**
 * Makes the read-only layer that lies above Debian in every machine of one
 * Kubernetes version, unless the cache has it: our programs (hard links, no
 * copies), the services and their configuration. Returns its folder.
 */
export async function ensureMachineLayer(version: string, report: Report): Promise<string> {
  const groups = componentGroups
    .filter((group) => group.inDefaultSet && !group.name.startsWith('kubernetes-'))
    .map((group) => group.name);
  const built = await ensureComponents({ groups: [...groups, kubernetesGroupName(version)] }, report);
  const programs = [...built].flatMap(([group, folder]) =>
    findGroup(group)
      .components.filter((component) => !component.optional)
      .flatMap((component) => installation(component, folder)),
  );
  const files = layerFiles({ cgroupVersion: hostFacts().cgroupVersion, pauseImage: pauseImageName(version) });
  const inputs = JSON.stringify([programs, files, enabledUnits, layerFolders]);
  const digest = createHash('sha256').update(inputs).digest('hex').slice(0, 16);
  const parent = join(cacheDirectory(), 'layers');
  const layer = join(parent, digest);
  if (existsSync(layer)) return layer;

  mkdirSync(parent, { recursive: true });
  const unfinished = mkdtempSync(join(parent, '.unfinished-'));
  const place = (path: string) => {
    mkdirSync(dirname(join(unfinished, path)), { recursive: true });
    return join(unfinished, path);
  };
  for (const { from, to } of programs) linkSync(from, place(to));
  for (const { path, content, mode } of files) writeFileSync(place(path), content, { mode: mode ?? 0o644 });
  for (const folder of layerFolders) mkdirSync(join(unfinished, folder), { recursive: true });
  for (const unit of enabledUnits) {
    symlinkSync(`/usr/lib/systemd/system/${unit}`, place(`/etc/systemd/system/multi-user.target.wants/${unit}`));
  }
  try {
    renameSync(unfinished, layer);
  } catch (cause) {
    // Another process may have been faster; its layer is the same.
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(layer)) throw cause;
  }
  return layer;
}

function installation(component: Component, folder: string): { from: string; to: string }[] {
  if (!component.installTo) return [];
  return [{ from: join(folder, component.name), to: join(component.installTo, component.name) }];
}
