// Stands in for an optional package that a release never uses.
export default {};
