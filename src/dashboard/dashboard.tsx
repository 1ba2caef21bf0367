/** The admin API with a face. */
export function Dashboard() {
  return (
    <main>
      <h1>countersign</h1>
    </main>
  )
}
