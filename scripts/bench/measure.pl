#!/usr/bin/perl
# Runs a command and prints, as the last line of standard output, how long it took and how much memory it had at most:
#   @measured <exit code> <seconds> <KiB>
# A parent with little memory of its own is needed, as a child's peak begins with its parent's: Node.js would be in every
# figure. perl-base is part of every Debian; it has no wait4 and no clock, so both are asked of the kernel (numbers of amd64).
use strict;
use warnings;

my ($sys_wait4, $sys_clock_gettime, $clock_monotonic) = (61, 228, 1);

sub seconds {
  my $time = pack 'q2', 0, 0;
  syscall($sys_clock_gettime, $clock_monotonic, $time) == 0 or die "clock_gettime: $!\n";
  my ($whole, $nanoseconds) = unpack 'q2', $time;
  return $whole + $nanoseconds / 1e9;
}

@ARGV or die "usage: measure.pl COMMAND [ARGUMENT...]\n";
my $start = seconds();
my $child = fork() // die "fork: $!\n";
if ($child == 0) {
  exec { $ARGV[0] } @ARGV or print STDERR "measure.pl: cannot run $ARGV[0]: $!\n";
  exit 127;
}
my $status = pack 'i', 0;
my $usage = "\0" x 144;    # struct rusage: two times of two words each, then the peak of the child and of its own children
syscall($sys_wait4, $child, $status, 0, $usage) == $child or die "wait4: $!\n";
my $duration = seconds() - $start;
my $code = unpack 'i', $status;
$code = $code & 127 ? 128 + ($code & 127) : $code >> 8;
my $peak = (unpack 'q5', $usage)[4];
printf "\n\@measured %d %.6f %d\n", $code, $duration, $peak;
