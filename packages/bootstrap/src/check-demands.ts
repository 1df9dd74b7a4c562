import { type PreflightCheck, type PreflightConfiguration, preflightCatalogRow } from '@groundplane/kubelet';
import type { Demand } from '@groundplane/phases';

/** What preflight checks ask of a machine: one sentence for each check that this configuration calls for. */
export function checkDemands(
  checks: readonly PreflightCheck[],
  configuration: PreflightConfiguration,
  { ignored = [] }: { readonly ignored?: readonly string[] } = {},
): readonly Demand[] {
  return checks.flatMap(({ code, firstRunOnly, instances }) =>
    instances(configuration).map(({ name }): Demand => {
      const isIgnored = ignored.includes('all') || ignored.includes(name.toLowerCase());
      const isError = preflightCatalogRow(name)?.severities.includes('error') === true;
      const unless = firstRunOnly ? ', unless what is there was made for this cluster' : '';
      return { text: `The check ${name} passes${unless}`, code, severity: isError && !isIgnored ? 'error' : 'warning' };
    }),
  );
}
