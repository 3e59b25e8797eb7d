/** A figure that is read when somebody asks for it: for `GET /metrics`. */
export interface Gauge {
  /** As Prometheus writes names: snake_case, the unit last. */
  name: string
  help: string
  labels: readonly string[]
  /** One query at most; a value for each set of labels. */
  read: () => Promise<{ labels: Readonly<Record<string, string>>; value: number }[]>
}
