import { TARGETS, type TargetName } from './cases.js'
import type { LoadResult } from './load.js'

/** One measurement: a case on a target in one round. */
export interface Measurement {
  case: string
  target: TargetName
  round: number
  result: LoadResult
  /** Processor time of the target per answer, in milliseconds. */
  cpuMs: number
}

/** The medians of a case on a target. `ratio` is the product's requests per second over the target's. */
export interface Figures {
  case: string
  target: TargetName
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  ratio: number
  cpuMs: number
  /** The product's 99th percentile over the target's. */
  p99Ratio: number
  /** The target's processor time per answer over the product's: it hardly moves with what else the machine does. */
  cpuRatio: number
}

/**
 * The medians over the rounds. A ratio is taken within a round, where both sides ran one after the other, and then the
 * median of the ratios: what the machine does in between touches neither.
 */
export function figuresOf(measurements: readonly Measurement[]): Figures[] {
  const ofProduct = new Map(
    measurements
      .filter(({ target }) => target === 'product')
      .map((measurement) => [`${measurement.case} ${measurement.round}`, measurement]),
  )
  const keys = [...new Set(measurements.map(({ case: name, target }) => JSON.stringify([name, target])))]
  return keys.map((key) => {
    const [name, target] = JSON.parse(key) as [string, TargetName]
    const own = measurements.filter((measurement) => measurement.case === name && measurement.target === target)
    const overProduct = (ratio: (product: Measurement, other: Measurement) => number): number =>
      median(own.map((other) => ratio(ofProduct.get(`${name} ${other.round}`) ?? other, other)))
    return {
      case: name,
      target,
      requestsPerSecond: median(own.map(({ result }) => result.requestsPerSecond)),
      p50Ms: median(own.map(({ result }) => result.p50Ms)),
      p99Ms: median(own.map(({ result }) => result.p99Ms)),
      ratio: overProduct((product, other) => product.result.requestsPerSecond / other.result.requestsPerSecond),
      p99Ratio: overProduct((product, other) => product.result.p99Ms / other.result.p99Ms),
      cpuMs: median(own.map(({ cpuMs }) => cpuMs)),
      cpuRatio: overProduct((product, other) => other.cpuMs / product.cpuMs),
    }
  })
}

/** The figures as `--json` writes them. */
export function jsonOf(figures: readonly Figures[]): object[] {
  return figures.map(({ case: name, target, requestsPerSecond, p50Ms, p99Ms, ratio }) => ({
    case: name,
    target,
    requests_per_second: Math.round(requestsPerSecond),
    p50_ms: Number(p50Ms.toFixed(2)),
    p99_ms: Number(p99Ms.toFixed(2)),
    ratio: Number(ratio.toFixed(2)),
  }))
}

const HEADER = ['case', 'target', 'req/s', 'p50 ms', 'p99 ms', 'CPU ms', 'product/target', 'p99', 'by CPU']

/** The figures as a table for people, case by case. */
export function tableOf(figures: readonly Figures[]): string {
  const places = (target: TargetName): number => TARGETS.indexOf(target)
  const cases = [...new Set(figures.map((line) => line.case))]
  const sorted = cases.flatMap((name) =>
    figures.filter((line) => line.case === name).sort((one, other) => places(one.target) - places(other.target)),
  )
  const rows = sorted.map((line) => [
    line.case,
    line.target,
    String(Math.round(line.requestsPerSecond)),
    line.p50Ms.toFixed(2),
    line.p99Ms.toFixed(2),
    line.cpuMs.toFixed(3),
    ...(line.target === 'product'
      ? ['', '', '']
      : [line.ratio.toFixed(2), line.p99Ratio.toFixed(2), line.cpuRatio.toFixed(2)]),
  ])
  const lines = [HEADER, ...rows]
  const widths = HEADER.map((_, column) => Math.max(...lines.map((row) => row[column]?.length ?? 0)))
  const pad = (cell: string, column: number): string =>
    column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  return lines.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')
}

/** The middle of some numbers; of the two middle ones where they are even, their mean. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2
}
