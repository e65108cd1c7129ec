typedef int ztl_no_avx512;
