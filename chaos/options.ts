import { parseArgs } from 'node:util'
import { AREAS, type Area } from './fault.js'
import { NODE_ADDRESSES, type NodeAddresses } from './harness/outside.js'

/** What `npm run chaos` was told. */
export interface Options {
  /** The seeds to run, one after the other on one harness. */
  seeds: readonly number[]
  minutes: number
  only: readonly Area[] | undefined
  /** How many seeds attack one after the other before the harness rests and is judged. */
  together: number
  nodes: NodeAddresses
}

export const USAGE =
  'npm run chaos -- --seed N | --seeds FROM-TO [--minutes M] [--only pg,rpc,provider,subgraph,process,clock] [--together N] [--nodes balanced|each]'

/** Half a minute shows most of what a longer run shows, and many seeds show more than a long one. */
const MINUTES = '0.5'

/** The payers of a sandbox have money for no more (`solana-purse.ts`). */
const TOGETHER_MAX = 25

/** Reads the command line. @throws Error that says what is wrong with it */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string' },
      seeds: { type: 'string' },
      minutes: { type: 'string', default: MINUTES },
      only: { type: 'string' },
      together: { type: 'string', default: '1' },
      nodes: { type: 'string', default: 'balanced' },
    },
  })
  const minutes = Number(values.minutes)
  if (!(minutes > 0)) throw new Error('--minutes is a number above 0')
  const together = Number(values.together)
  if (!Number.isInteger(together) || together < 1 || together > TOGETHER_MAX) {
    throw new Error(`--together is a whole number from 1 to ${TOGETHER_MAX}`)
  }
  const nodes = NODE_ADDRESSES.find((known) => known === values.nodes)
  if (!nodes) throw new Error(`--nodes is one of ${NODE_ADDRESSES.join(', ')}`)
  return {
    seeds: seedsOf(values.seed ?? values.seeds ?? ''),
    minutes,
    only: values.only?.split(',').map(areaOf),
    together,
    nodes,
  }
}

function seedsOf(text: string): number[] {
  const found = /^(\d+)(?:-(\d+))?$/.exec(text)
  if (!found) throw new Error('--seed is a whole number, --seeds two with a hyphen between')
  const first = Number(found[1])
  const last = Number(found[2] ?? found[1])
  if (last < first) throw new Error('--seeds ends before it begins')
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

function areaOf(name: string): Area {
  const area = AREAS.find((known) => known === name)
  if (!area) throw new Error(`--only knows ${AREAS.join(', ')}, not ${name}`)
  return area
}
