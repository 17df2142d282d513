import fc from 'fast-check'

// The same examples on every machine: a test that fails, fails again.
fc.configureGlobal({ seed: 1_234_567 })
