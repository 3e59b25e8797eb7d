import { cardRail, type CardRailOptions } from './card/rail.js'
import { cryptoRail } from './crypto/rail.js'
import type { CryptoDeps } from './crypto/start.js'
import { pixRail, type PixRailOptions } from './pix/rail.js'
import type { Rail } from './rail.js'

/** What the rails of providers are made of; absent where the deployment does not use one. */
export interface RailOptions {
  crypto: CryptoDeps
  pix: PixRailOptions | undefined
  card: CardRailOptions | undefined
}

/** Every way to pay; a new one is its folder and a line here. */
export function createRails({ crypto, pix, card }: RailOptions): readonly Rail[] {
  return [cryptoRail(crypto), ...(pix ? [pixRail(pix)] : []), ...(card ? [cardRail(card)] : [])]
}
