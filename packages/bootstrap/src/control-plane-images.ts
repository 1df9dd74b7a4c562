import { imageReferences } from '@groundplane/controlplane';
import { type Finding, messageOf } from '@groundplane/errors';
import type { Runtime } from '@groundplane/phases';
import { controlPlaneFactsOf } from './control-plane-facts.ts';
import { bootstrapFinding } from './error-codes.ts';
import type { InitContext } from './init-context.ts';

/** Name under which `--ignore-preflight-errors` knows the images. */
const checkName = 'ImagePull';

/** The images of the control plane that have to be pulled: by the pull policy all of them, none, or those that are missing. */
async function imagesToPull(config: InitContext, runtime: Runtime): Promise<readonly string[]> {
  const { imagePullPolicy } = config.init.nodeRegistration;
  if (imagePullPolicy === 'Never') return [];
  const images = imageReferences(controlPlaneFactsOf(config, true));
  if (imagePullPolicy === 'Always') return images;
  const present = await Promise.all(images.map((image) => runtime.imageExists(image).catch(() => false)));
  return images.filter((_, index) => present[index] !== true);
}

/** True if the images are to be pulled whether or not they are there, or without anything hanging on it: on every run anew. */
export function pullsEveryTime(config: InitContext): boolean {
  return config.init.nodeRegistration.imagePullPolicy === 'Always' || isIgnored(config);
}

/** Verdict on the images, as far as they have to be there. */
export async function missingImageFindings(config: InitContext, runtime: Runtime): Promise<readonly Finding[]> {
  if (pullsEveryTime(config)) return [];
  return (await imagesToPull(config, runtime)).map((image) =>
    bootstrapFinding({
      code: 'BOOTSTRAP_IMAGE_MISSING',
      severity: 'error',
      artifact: checkName,
      message: `the image ${image} is not on this machine`,
    }),
  );
}

/**
 * Pulls what {@link imagesToPull} says, one after another unless the configuration says otherwise.
 *
 * @returns why images could not be pulled, one text for each
 */
export async function pullImages(
  config: InitContext,
  runtime: Runtime,
  progress: (message: string) => void,
): Promise<readonly string[]> {
  try {
    await runtime.version();
  } catch (error) {
    return [`could not connect to the container runtime: ${messageOf(error)}`];
  }
  const images = await imagesToPull(config, runtime);
  if (images.length === 0) return [];
  progress(`Pulling ${images.length} images required for setting up a Kubernetes cluster`);
  return pullEach(images, config.init.nodeRegistration.imagePullSerial !== false, async (image) => {
    const failure = await pullOne(image, runtime);
    if (failure === undefined) progress(`Pulled ${image}`);
    return failure;
  });
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

/** @returns why it failed; nothing if it succeeded */
async function pullOne(image: string, runtime: Runtime): Promise<string | undefined> {
  try {
    await runtime.pullImage(image);
    return undefined;
  } catch (error) {
    return `failed to pull image ${image}: ${messageOf(error)}`;
  }
}
