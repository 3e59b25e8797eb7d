/** One operation of the console, as it is sent, with the types of what it is given and of what it answers. */
export interface GraphDocument<Result, Variables> {
  text: string
  /** Never there: it carries the types. */
  types?: (variables: Variables) => Result
}
