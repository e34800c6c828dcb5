#!/bin/sh
# kubectl runs this file, from PATH, for the completion of `kubectl grpc-skew`.
exec kubectl-grpc_skew __complete "$@"
