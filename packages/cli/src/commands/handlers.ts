import type { CommandRow } from '../arguments/flag-row.ts';
import type { Handler } from '../invocation.ts';
import { stoppable } from '../stoppable.ts';
import { type CommandsRow, rowOfCommand } from './row-of-command.ts';

interface HandlerRow extends CommandsRow {
  /** Loaded when one of its commands runs. */
  readonly load: () => Promise<Handler>;
  /** True if it ends between two writes when the process is told to stop; others are left where they are. */
  readonly stopsItself?: true;
}

const handlers: readonly HandlerRow[] = [
  {
    words: 'certs check-expiration',
    load: async () => (await import('../handlers/check-expiration.ts')).checkExpiration,
  },
  {
    words: 'certs generate-csr',
    load: async () => (await import('../handlers/generate-requests.ts')).generateRequests,
  },
  { words: 'certs import', load: async () => (await import('../handlers/import-answers.ts')).importAnswers },
  { words: 'certs report', load: async () => (await import('../handlers/report-certificates.ts')).reportCertificates },
  {
    words: 'certs requests',
    load: async () => (await import('../handlers/request-certificates.ts')).requestCertificatesCommand,
  },
  {
    words: 'certs sign-kubelet-requests',
    load: async () => (await import('../handlers/sign-kubelet-requests.ts')).signKubeletRequestsCommand,
    stopsItself: true,
  },
  { words: 'config images list', load: async () => (await import('../handlers/list-images.ts')).listImages },
  { words: 'config images pull', load: async () => (await import('../handlers/pull-images.ts')).pullImages },
  {
    words: 'config migrate',
    load: async () => (await import('../handlers/migrate-configuration.ts')).migrateConfiguration,
  },
  { words: 'config print', load: async () => (await import('../handlers/print-defaults.ts')).printDefaults },
  {
    words: 'config validate',
    load: async () => (await import('../handlers/validate-configuration.ts')).validateConfiguration,
  },
  { words: 'init', load: async () => (await import('../handlers/run-init.ts')).runInit, stopsItself: true },
  {
    words: 'init phase certs all',
    load: async () => (await import('../handlers/run-certificates.ts')).runCertificates,
    stopsItself: true,
  },
  { words: 'join', load: async () => (await import('../handlers/run-join.ts')).runJoin, stopsItself: true },
  { words: 'journal', load: async () => (await import('../handlers/print-journal.ts')).printJournal },
  {
    words: 'kubeconfig user',
    load: async () => (await import('../handlers/make-user-kubeconfig.ts')).makeUserKubeconfig,
  },
  { words: 'phases describe', load: async () => (await import('../handlers/describe-phases.ts')).describePhases },
  { words: 'phases graph', load: async () => (await import('../handlers/print-graph.ts')).printGraph },
  { words: 'phases list', load: async () => (await import('../handlers/list-phases.ts')).listPhases },
  { words: 'plan', load: async () => (await import('../handlers/plan-workflow.ts')).planWorkflowCommand },
  { words: 'plugins install', load: async () => (await import('../handlers/manage-plugins.ts')).installPlugin },
  { words: 'plugins link', load: async () => (await import('../handlers/manage-plugins.ts')).linkPlugin },
  { words: 'plugins list', load: async () => (await import('../handlers/manage-plugins.ts')).listPlugins },
  { words: 'plugins uninstall', load: async () => (await import('../handlers/manage-plugins.ts')).uninstallPlugin },
  { words: 'reset', load: async () => (await import('../handlers/run-reset.ts')).runReset, stopsItself: true },
  { words: 'rbac explain', load: async () => (await import('../handlers/explain-rbac.ts')).explainRbac },
  { words: 'rbac list', load: async () => (await import('../handlers/list-rbac.ts')).listRbac },
  { words: 'schemas', load: async () => (await import('../handlers/print-schemas.ts')).printSchemas },
  { words: 'status', load: async () => (await import('../handlers/print-status.ts')).printStatus },
  { words: 'token create', load: async () => (await import('../handlers/create-token.ts')).createToken },
  { words: 'token delete', load: async () => (await import('../handlers/delete-tokens.ts')).deleteTokens },
  { words: 'token generate', load: async () => (await import('../handlers/generate-token.ts')).generateToken },
  { words: 'token list', load: async () => (await import('../handlers/list-tokens.ts')).listTokens },
  { words: 'verify', load: async () => (await import('../handlers/verify-workflow.ts')).verifyWorkflowCommand },
  { words: 'version', load: async () => (await import('../handlers/print-version.ts')).printVersion },
];

/**
 * The code behind a command.
 *
 * @throws TypeError if the catalogue lists a command that nothing carries out
 */
export async function handlerOf(row: CommandRow): Promise<Handler> {
  if (row.kind === 'group') return (await import('../handlers/require-subcommand.ts')).requireSubcommand;
  const found = rowOfCommand(handlers, row.path);
  if (found === undefined) throw new TypeError(`Cannot run '${row.path.join(' ')}' as no handler is registered for it`);
  const handle = await found.load();
  return found.stopsItself === true ? handle : stoppable(handle);
}
