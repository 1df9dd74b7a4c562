import type { DaemonSet, Deployment, EnvVar } from '@groundplane/manifest';

/** Variables that name the API server to clients in pods; the kubelet sets them to the Service kubernetes where a container does not. */
const [hostVariable, portVariable] = ['KUBERNETES_SERVICE_HOST', 'KUBERNETES_SERVICE_PORT'];

/**
 * The variables with which a pod's client asks the API server itself in place of its Service, so that it depends on nobody's Service
 * rules (kubernetes: staging/src/k8s.io/client-go/rest/config.go, InClusterConfig).
 *
 * @param server.host IP address, without brackets
 */
export function apiServerEnvironment(server: { readonly host: string; readonly port: string }): readonly EnvVar[] {
  return [
    { name: hostVariable, value: server.host },
    { name: portVariable, value: server.port },
  ];
}

/** Whether the pods of a Deployment are told where the API server is. */
export function namesApiServer({ spec }: Partial<Deployment>): boolean {
  return spec?.template?.spec?.containers?.[0]?.env?.some(({ name }) => name === hostVariable) ?? false;
}

/**
 * Hands variables on to an addon's container, the first of the pod. Those that are there already stay: a name that occurs twice would be
 * refused by the API server.
 */
export function withEnvironment<T extends DaemonSet | Deployment>(workload: T, environment: readonly EnvVar[]): T {
  const { spec } = workload;
  const [container, ...others] = spec.template.spec.containers;
  if (container === undefined || environment.length === 0) return workload;
  const { env = [] } = container;
  const added = environment.filter((variable) => !env.some((one) => one.name === variable.name));
  const podSpec = { ...spec.template.spec, containers: [{ ...container, env: [...env, ...added] }, ...others] };
  return { ...workload, spec: { ...spec, template: { ...spec.template, spec: podSpec } } };
}
