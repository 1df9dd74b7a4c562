import type { DescMessage } from '@bufbuild/protobuf';
import * as cri from './generated/cri_pb.ts';

/** One unary call of the CRI. */
export interface CriMethod<I extends DescMessage, O extends DescMessage> {
  /** Path of the gRPC request. */
  readonly path: string;
  readonly input: I;
  readonly output: O;
}

/** The calls that are used, by name. */
export const criMethods = {
  version: method('RuntimeService/Version', cri.VersionRequestSchema, cri.VersionResponseSchema),
  status: method('RuntimeService/Status', cri.StatusRequestSchema, cri.StatusResponseSchema),
  runtimeConfig: method(
    'RuntimeService/RuntimeConfig',
    cri.RuntimeConfigRequestSchema,
    cri.RuntimeConfigResponseSchema,
  ),
  listPodSandbox: method(
    'RuntimeService/ListPodSandbox',
    cri.ListPodSandboxRequestSchema,
    cri.ListPodSandboxResponseSchema,
  ),
  stopPodSandbox: method(
    'RuntimeService/StopPodSandbox',
    cri.StopPodSandboxRequestSchema,
    cri.StopPodSandboxResponseSchema,
  ),
  removePodSandbox: method(
    'RuntimeService/RemovePodSandbox',
    cri.RemovePodSandboxRequestSchema,
    cri.RemovePodSandboxResponseSchema,
  ),
  listContainers: method(
    'RuntimeService/ListContainers',
    cri.ListContainersRequestSchema,
    cri.ListContainersResponseSchema,
  ),
  containerStatus: method(
    'RuntimeService/ContainerStatus',
    cri.ContainerStatusRequestSchema,
    cri.ContainerStatusResponseSchema,
  ),
  imageStatus: method('ImageService/ImageStatus', cri.ImageStatusRequestSchema, cri.ImageStatusResponseSchema),
  pullImage: method('ImageService/PullImage', cri.PullImageRequestSchema, cri.PullImageResponseSchema),
} as const;

function method<I extends DescMessage, O extends DescMessage>(name: string, input: I, output: O): CriMethod<I, O> {
  return { path: `/runtime.v1.${name}`, input, output };
}
