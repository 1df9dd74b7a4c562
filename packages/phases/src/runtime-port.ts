/** What the CRI says about one container; only the newest of each name is listed. */
export interface ContainerState {
  readonly id: string;
  readonly name: string;
  readonly pod: string;
  readonly state: 'created' | 'running' | 'exited' | 'unknown';
  readonly exitCode?: number;
  readonly reason?: string;
  readonly message?: string;
  /** Path of the log on this node. */
  readonly logPath?: string;
  readonly attempt: number;
}

/** What the CRI says about one pod sandbox: what a pod's containers run in. */
export interface PodSandbox {
  readonly id: string;
  /** Name and namespace of the pod. */
  readonly name: string;
  readonly namespace: string;
  /** False for one that was stopped. */
  readonly ready: boolean;
}

/** The container runtime over the Container Runtime Interface (CRI v1). */
export interface Runtime {
  version(): Promise<{ readonly name: string; readonly version: string; readonly apiVersion: string }>;
  /** Conditions such as RuntimeReady and NetworkReady. */
  status(): Promise<
    readonly { readonly type: string; readonly status: boolean; readonly reason: string; readonly message: string }[]
  >;
  /** cgroup driver of the runtime; `undefined` if the runtime does not implement RuntimeConfig. */
  cgroupDriver(): Promise<'systemd' | 'cgroupfs' | undefined>;
  imageExists(image: string): Promise<boolean>;
  /** Tries several times before it fails. */
  pullImage(image: string): Promise<void>;
  /** Containers of the pods in this namespace, newest attempt of each. */
  containers(namespace: string): Promise<readonly ContainerState[]>;
  /** All pod sandboxes, whoever made them, sorted by namespace and name. */
  sandboxes(): Promise<readonly PodSandbox[]>;
  /** Stops a pod sandbox and all its containers at once and removes them; gone already is fine. Tries several times before it fails. */
  removeSandbox(id: string): Promise<void>;
  /** The last lines of a container's log. */
  log(container: ContainerState, lines: number): Promise<readonly string[]>;
}
