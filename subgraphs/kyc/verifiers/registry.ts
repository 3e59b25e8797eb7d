import { didit } from './didit/didit.js'
import type { VerifierDefinition } from './verifier.js'

/** Every verification provider that a deployment can choose; a new one is its folder and a line here. */
export const VERIFIERS: readonly VerifierDefinition[] = [didit]
