module harness

go 1.26
