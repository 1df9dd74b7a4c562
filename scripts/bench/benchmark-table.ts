import type { Benchmark } from './benchmark.ts';
import { runCertificates } from './certificates-run.ts';
import { runInit } from './init-run.ts';
import { deleteJoinCluster, runJoin } from './join-run.ts';
import { runManifests } from './manifests-run.ts';
import type { Programs } from './programs.ts';
import { runValidation, runVersion } from './reading-run.ts';

export interface BenchmarkContext {
  readonly programs: Programs;
  /** A folder for what the commands write. */
  readonly scratch: string;
}

/** The rows, before it is known which programs they run. */
export interface BenchmarkRow extends Omit<Benchmark, 'run' | 'method'> {
  readonly method: (context: BenchmarkContext) => string;
  readonly run: (context: BenchmarkContext) => Benchmark['run'];
}

/** Making an RSA key is a matter of luck, so these need many rounds. */
const certificateRounds = 25;

const onHost = 'on this host in mounts of its own, its configuration naming version, address and node';

export const benchmarkTable: readonly BenchmarkRow[] = [
  {
    name: 'version',
    title: 'version',
    rounds: 30,
    warmUps: 2,
    method: () => '`version` on this host',
    limits: { time: { secondsBelow: 0.12 } },
    run:
      ({ programs, scratch }) =>
      (side) =>
        runVersion(programs, side, scratch),
  },
  {
    name: 'validate',
    title: 'config validate',
    rounds: 25,
    warmUps: 2,
    method: () => '`config validate` of an InitConfiguration and a ClusterConfiguration on this host',
    limits: {},
    run:
      ({ programs, scratch }) =>
      (side) =>
        runValidation(programs, side, scratch),
  },
  {
    name: 'control-plane',
    title: 'control-plane all',
    rounds: 25,
    warmUps: 2,
    method: () => `\`init phase control-plane all\` into an empty /etc/kubernetes ${onHost}`,
    limits: {},
    run:
      ({ programs, scratch }) =>
      (side) =>
        runManifests(programs, side, scratch),
  },
  {
    name: 'certs-rsa',
    title: 'certs all, RSA',
    rounds: certificateRounds,
    warmUps: 1,
    method: () => `\`init phase certs all\` with RSA-2048 into an empty folder ${onHost}`,
    limits: { time: { ratioAtMost: 0.8 } },
    run:
      ({ programs, scratch }) =>
      (side) =>
        runCertificates(programs, side, 'RSA-2048', scratch),
  },
  {
    name: 'certs-ecdsa',
    title: 'certs all, ECDSA',
    rounds: certificateRounds,
    warmUps: 1,
    method: () => `\`init phase certs all\` with ECDSA-P256 into an empty folder ${onHost}`,
    limits: {},
    run:
      ({ programs, scratch }) =>
      (side) =>
        runCertificates(programs, side, 'ECDSA-P256', scratch),
  },
  {
    name: 'init',
    title: 'init',
    rounds: 5,
    warmUps: 0,
    method: () =>
      '`init` with all phases on a machine made for each run, images present, the pod network still to come',
    limits: { time: { ratioAtMost: 1 } },
    run:
      ({ programs }) =>
      (side) =>
        runInit(programs, side, 'still to come'),
  },
  {
    name: 'init-network',
    title: 'init where the pod network is there',
    rounds: 5,
    warmUps: 0,
    method: () => '`init` as above, but the pod network is there before, so that the pods of CoreDNS start at once',
    limits: { time: { ratioAtMost: 1 } },
    run:
      ({ programs }) =>
      (side) =>
        runInit(programs, side, 'there'),
  },
  {
    name: 'join',
    title: 'join',
    rounds: 5,
    warmUps: 0,
    method: () =>
      '`join` of a worker made for each run to one cluster that kubeadm made and that is Ready, images present',
    limits: { time: { ratioAtMost: 1 } },
    run:
      ({ programs }) =>
      (side) =>
        runJoin(programs, side),
    release: deleteJoinCluster,
  },
];
