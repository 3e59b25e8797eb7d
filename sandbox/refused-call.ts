/** What a refusal tells of itself. */
export interface RefusedAnswer {
  status?: string
}

/** A call of the product that was answered by no success. */
export class RefusedCall extends Error {
  override readonly name = 'RefusedCall'
  /** The envelope's status, e.g. `order_limit_reached`. */
  readonly status: string | undefined

  constructor(call: string, answer: RefusedAnswer) {
    super(`${call} answered ${JSON.stringify(answer)}`)
    this.status = answer.status
  }
}
