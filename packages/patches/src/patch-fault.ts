/** Why a patch does not apply, or its result does not fit its kind; the caller knows which patch it is. Completes "as …". */
export class PatchFault extends Error {
  override readonly name = 'PatchFault';
}
