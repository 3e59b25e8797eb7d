/**
 * Does the steps one after the other, though one of them fails: what one list cannot show, or one charge, keeps no other from being read.
 * @throws what the first of them failed by, in the end
 */
export async function eachStep(...steps: readonly (() => Promise<void> | void)[]): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps) {
    try {
      await step()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
