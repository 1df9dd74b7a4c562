import type { DecodedKubeletConfiguration } from './configuration-types.ts';
import { decodeDocument, type Problem } from './decode-document.ts';
import { kubeletConfigurationSchema } from './kubelet-configuration-schema.ts';

export interface KubeletConfigurationJudgement {
  /** Fields of a type or with a value with which the kubelet does not start. */
  readonly problems: readonly Problem[];
  /** Paths of fields that there are not, which the kubelet passes over with a line in its log. */
  readonly unknownFields: readonly string[];
}

const most = 2 ** 31 - 1;
/** Field → smallest and largest value (k8s.io/kubernetes, pkg/kubelet/apis/config/validation/validation.go). Zero stands for the default. */
const ranges: Readonly<Record<string, readonly [number, number]>> = {
  ...among(1, 65_535, 'port', 'readOnlyPort', 'healthzPort'),
  ...among(1, most, 'nodeLeaseDurationSeconds', 'maxParallelImagePulls', 'containerLogMaxWorkers'),
  ...among(2, most, 'containerLogMaxFiles'),
  ...among(0, most, 'eventBurst', 'eventRecordQPS', 'kubeAPIBurst', 'kubeAPIQPS', 'maxPods', 'podsPerCore'),
  ...among(0, most, 'registryBurst', 'registryPullQPS'),
  ...among(0, Number.MAX_SAFE_INTEGER, 'maxOpenFiles'),
  ...among(-1, most, 'nodeStatusMaxImages'),
  ...among(0, 100, 'imageGCHighThresholdPercent', 'imageGCLowThresholdPercent'),
  ...among(0, 31, 'iptablesDropBit', 'iptablesMasqueradeBit'),
  ...among(-1000, 1000, 'oomScoreAdj'),
};

function among(smallest: number, largest: number, ...fields: readonly string[]) {
  return Object.fromEntries(fields.map((field) => [field, [smallest, largest] as const]));
}

/**
 * What the kubelet says to a KubeletConfiguration of any maker before it starts, field by field.
 *
 * @param document kubelet.config.k8s.io/v1beta1 as parsed
 */
export function judgeKubeletConfiguration(document: unknown): KubeletConfigurationJudgement {
  const { value, problems, unknownFields } = decodeDocument(kubeletConfigurationSchema, document);
  return { problems: [...problems, ...kubeletNumbersAstray(value)], unknownFields };
}

/** Numbers out of bounds in a KubeletConfiguration. */
export function kubeletNumbersAstray(configuration: DecodedKubeletConfiguration): readonly Problem[] {
  return Object.entries(ranges).flatMap(([path, [smallest, largest]]): readonly Problem[] => {
    const number = (configuration as unknown as Readonly<Record<string, unknown>>)[path];
    if (typeof number !== 'number' || number === 0 || (number >= smallest && number <= largest)) return [];
    const bound = largest >= most ? `at least ${smallest}` : `from ${smallest} to ${largest}`;
    return [{ path, reason: `it must be ${bound}`, value: number }];
  });
}
