import { card } from './card/rail.js'
import { crypto } from './crypto/rail.js'
import { pix } from './pix/rail.js'
import type { RailKind } from './rail.js'

/** Every way to pay; a new one is its folder and a line here. */
export const RAILS: RailKind[] = [crypto, pix, card]
