import { imageReferences } from '@groundplane/controlplane';
import { type Finding, hasErrors, messageOf } from '@groundplane/errors';
import type { Runtime } from '@groundplane/phases';
import { controlPlaneFactsOf } from './control-plane-facts.ts';
import { bootstrapError, bootstrapFinding } from './error-codes.ts';
import type { InitContext } from './init-context.ts';

/** How often pulling one image is tried (kubeadm: constants.go). */
const pullAttempts = 5;

/** Name under which `--ignore-preflight-errors` knows the images. */
const checkName = 'ImagePull';

/** The images of the control plane that have to be pulled: by the pull policy all of them, none, or those that are missing. */
export async function imagesToPull(config: InitContext, runtime: Runtime): Promise<readonly string[]> {
  const { imagePullPolicy } = config.init.nodeRegistration;
  if (imagePullPolicy === 'Never') return [];
  const images = imageReferences(controlPlaneFactsOf(config, true));
  if (imagePullPolicy === 'Always') return images;
  const present = await Promise.all(images.map((image) => runtime.imageExists(image)));
  return images.filter((_, index) => present[index] !== true);
}

/** Verdict on an image of {@link imagesToPull}. */
export function missingImageFinding(image: string, config: InitContext): Finding {
  // With the policy Always the runtime decides anew each time; what it has is no error afterwards.
  const mayBeThere = config.init.nodeRegistration.imagePullPolicy === 'Always';
  return bootstrapFinding({
    code: 'BOOTSTRAP_IMAGE_MISSING',
    severity: mayBeThere || isIgnored(config) ? 'warning' : 'error',
    artifact: checkName,
    message: `the image ${image} is not on this machine`,
  });
}

interface PullReports {
  readonly progress: (message: string) => void;
  readonly finding: (finding: Finding) => void;
}

/**
 * Pulls what {@link imagesToPull} says, one after another unless the configuration says otherwise. Where the check is ignored, failures
 * are reported as warnings.
 *
 * @throws GroundplaneError BOOTSTRAP_PREFLIGHT_FAILED with one finding for each image that could not be pulled
 */
export async function pullImages(
  config: InitContext,
  runtime: Runtime,
  { progress, finding }: PullReports,
): Promise<void> {
  const images = await imagesToPull(config, runtime);
  if (images.length === 0) return;
  progress(`Pulling ${images.length} images required for setting up a Kubernetes cluster`);
  const failures = await pullEach(images, config.init.nodeRegistration.imagePullSerial !== false, async (image) => {
    const failure = await pullOne(image, runtime);
    if (failure === undefined) progress(`Pulled ${image}`);
    return failure;
  });
  const findings = failures.map(
    (message): Finding => ({
      code: 'PREFLIGHT_IMAGE_PULL',
      severity: isIgnored(config) ? 'warning' : 'error',
      artifact: checkName,
      message,
    }),
  );
  if (hasErrors(findings)) {
    throw bootstrapError(
      'BOOTSTRAP_PREFLIGHT_FAILED',
      `Cannot use this machine as ${failures.length} of ${images.length} images could not be pulled`,
      { findings, hint: 'Import the images into the runtime, or pull them yourself: crictl pull IMAGE' },
    );
  }
  for (const warning of findings) finding(warning);
}

function isIgnored({ ignorePreflightErrors }: InitContext): boolean {
  return ignorePreflightErrors.includes('all') || ignorePreflightErrors.includes(checkName.toLowerCase());
}

/** @returns the failures */
async function pullEach(
  images: readonly string[],
  serial: boolean,
  pull: (image: string) => Promise<string | undefined>,
): Promise<readonly string[]> {
  const failures: (string | undefined)[] = [];
  if (serial) for (const image of images) failures.push(await pull(image));
  else failures.push(...(await Promise.all(images.map(pull))));
  return failures.filter((failure) => failure !== undefined);
}

/** @returns why the last attempt failed; nothing if one succeeded */
async function pullOne(image: string, runtime: Runtime): Promise<string | undefined> {
  let failure = '';
  for (let attempt = 1; attempt <= pullAttempts; attempt++) {
    try {
      await runtime.pullImage(image);
      return undefined;
    } catch (error) {
      failure = messageOf(error);
    }
  }
  return `failed to pull image ${image}: ${failure}`;
}
