import { loadAgain } from '../../../checkout/page/load-again.js'

/** What passkeys are made and used with: few need it, so it is not in the first view's script. */
export const loadPasskey = loadAgain(() => import('./passkey.js'))
